// The languages of each plural rule (CLDR supplemental data, cardinal). Data only.

extension PluralRule {
    /// Creates the rule of a language or locale: `en`, `pt-PT`, `zh_Hant_TW`. Languages without rules in CLDR, and invalid
    /// tags, are `none`, as in CLDR's root.
    public init(language identifier: String) {
        let tag = LanguageTag(identifier)
        if tag?.language == "pt", tag?.region == "PT" {
            self = .italian
        } else {
            self = tag.flatMap { Self.byLanguage[$0.language] } ?? .none
        }
    }

    private static let byLanguage: [String: PluralRule] = {
        var rules: [String: PluralRule] = [:]
        for (rule, languages) in groups {
            for language in languages.split(separator: " ") { rules[String(language)] = rule }
        }
        return rules
    }()

    private static let groups: [(PluralRule, String)] = [
        (.oneIfZeroUnitsOrOne, "am as bn doi fa gu hi kn kok pcm zu"),
        (.oneIfUnitsZeroOrOne, "ff hy kab"),
        (.oneIfWholeOne, "ast de en et fi fy gl ia ie io ji lij nl sc sv sw ur yi"),
        (.oneIfZeroOrOne, "ak bho csw guw ln mg nso pa ti wa"),
        (
            .oneIfOne,
            """
            af an asa az bal bem bez bg brx ce cgg chr ckb dv ee el eo eu fo fur gsw ha haw hu jgo jmc ka kaj kcg kk \
            kkj kl ks ksb ku ky lb lg mas mgo ml mn mr nah nb nd ne nn nnh no nr ny nyn om or os pap ps rm rof rwk saq \
            sd sdh seh sn so sq ss ssy st syr ta te teo tig tk tn tr ts ug uz ve vo vun wae xh xog
            """
        ),
        (.sinhala, "si"), (.tamazight, "tzm"), (.danish, "da"), (.icelandic, "is"), (.macedonian, "mk"),
        (.filipino, "ceb fil tl"), (.latvian, "lv prg"), (.langi, "lag"), (.colognian, "blo cv ksh"),
        (.hebrew, "he iw"), (.dual, "iu naq sat se sma smi smj smn sms"), (.tachelhit, "shi"),
        (.romanian, "mo ro"), (.serbian, "bs hr sh sr"), (.french, "fr"), (.portuguese, "pt"),
        (.italian, "ca it lld scn vec"), (.spanish, "es"), (.scottishGaelic, "gd"), (.slovenian, "sl"),
        (.sorbian, "dsb hsb"), (.czech, "cs sk"), (.polish, "pl"), (.belarusian, "be"), (.lithuanian, "lt"),
        (.russian, "ru uk"), (.breton, "br"), (.maltese, "mt"), (.irish, "ga"), (.manx, "gv"), (.cornish, "kw"),
        (.arabic, "ar ars"), (.welsh, "cy"),
    ]
}

extension PluralRule {
    /// A language with this rule that most CLDR data contain; nil if there is one form for all.
    package var language: String? {
        switch self {
        case .none: nil
        case .oneIfZeroUnitsOrOne: "hi"
        case .oneIfUnitsZeroOrOne: "hy"
        case .oneIfWholeOne: "en"
        case .oneIfZeroOrOne: "pa"
        case .oneIfOne: "tr"
        case .sinhala: "si"
        case .tamazight: "tzm"
        case .danish: "da"
        case .icelandic: "is"
        case .macedonian: "mk"
        case .filipino: "fil"
        case .latvian: "lv"
        case .langi: "lag"
        case .colognian: "ksh"
        case .hebrew: "he"
        case .dual: "se"
        case .tachelhit: "shi"
        case .romanian: "ro"
        case .serbian: "sr"
        case .french: "fr"
        case .portuguese: "pt"
        case .italian: "it"
        case .spanish: "es"
        case .scottishGaelic: "gd"
        case .slovenian: "sl"
        case .sorbian: "hsb"
        case .czech: "cs"
        case .polish: "pl"
        case .belarusian: "be"
        case .lithuanian: "lt"
        case .russian: "ru"
        case .breton: "br"
        case .maltese: "mt"
        case .irish: "ga"
        case .manx: "gv"
        case .cornish: "kw"
        case .arabic: "ar"
        case .welsh: "cy"
        }
    }
}
