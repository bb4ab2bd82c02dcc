// Numbers written as the server writes them, by what its `motion` events tell of that.

/** `half-even` as ECMA-402 has it. */
const mode = (rounding) => rounding.replace(/-(\w)/, (_, letter) => letter.toUpperCase());

/** A value moved by decimal places, as text: a double times 100 is another decimal. */
function shifted(value, places) {
	const [digits, exponent = 0] = `${value}`.split("e");
	return `${digits}e${+exponent + places}`;
}

/** The text of a value as a function, of a motion's `number`. */
export function writing({ decimals: [fewest, most], integers, shift, rounding, groups: [primary, secondary, least], ...number }) {
	const digits = [...number.digits], own = (text) => text.replace(/\d/g, (digit) => digits[digit]);
	const { format } = new Intl.NumberFormat("en-US", {
		minimumFractionDigits: fewest, maximumFractionDigits: most, minimumIntegerDigits: integers, useGrouping: false,
		roundingMode: mode(rounding), signDisplay: "negative",
	});

	function grouped(whole) {
		if (!primary || whole.length < primary + least) return own(whole);
		const groups = [whole.slice(-primary)];
		for (let rest = whole.slice(0, -primary); rest; rest = secondary ? rest.slice(0, -secondary) : "") {
			groups.unshift(secondary ? rest.slice(-secondary) : rest);
		}
		return groups.map(own).join(number.separator);
	}

	return (value) => {
		const text = format(shifted(value, shift)), [whole, rest] = text.replace("-", "").split(".");
		const sign = /[1-9]/.test(text) ? (text[0] === "-" ? "negative" : "positive") : "zero";
		const [before, behind] = number[sign];
		return number.prefix + before + grouped(whole) + (rest ? number.point + own(rest) : "") + behind + number.suffix;
	};
}
