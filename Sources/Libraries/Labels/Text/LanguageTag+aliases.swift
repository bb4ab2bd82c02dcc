// Aliases of languages and regions: CLDR 48's supplementalMetadata for languages that it has data for, as shown by the Intl
// of Node 20.20.2. Data only.

extension LanguageTag {
    /// Replaced language subtags, and the tag for each.
    static let languages = table(
        """
        adp=dz afr=af aka=ak alb=sq als=sq amh=am ara=ar arb=ar arm=hy asm=as aze=az azj=az bak=ba bam=bm baq=eu \
        bel=be ben=bn bh=bho bih=bho bod=bo bos=bs bre=br bul=bg bur=my bxk=luy bxr=bua cat=ca ces=cs che=ce chi=zh \
        chv=cv cld=syr cls=sa cmn=zh cnr=sr-ME cor=kw cym=cy cze=cs dan=da deu=de dgo=doi drh=mn drw=fa-AF dut=nl \
        dzo=dz ekk=et ell=el eng=en epo=eo est=et eus=eu ewe=ee fao=fo fas=fa fat=ak fin=fi fra=fr fre=fr fry=fy \
        fuc=ff ful=ff gaz=om geo=ka ger=de gla=gd gle=ga glg=gl glv=gv gom=kok gre=el guj=gu hau=ha hbs=sr-Latn \
        heb=he hin=hi hrv=hr hun=hu hye=hy ibo=ig ice=is iii=ii ile=ie in=id ina=ia ind=id isl=is ita=it iw=he \
        jav=jv jaw=jv ji=yi jpn=ja jw=jv kal=kl kan=kn kas=ks kat=ka kaz=kk khk=mn khm=km kik=ki kin=rw kir=ky \
        kmr=ku kor=ko kur=ku lao=lo lav=lv lin=ln lit=lt ltz=lb lub=lu lug=lg lvs=lv mac=mk mal=ml mao=mi mar=mr \
        may=ms mkd=mk mlg=mg mlt=mt mo=ro mol=ro mon=mn mri=mi msa=ms mup=raj mya=my nde=nd nep=ne nld=nl nno=nn \
        nob=nb nor=no npi=ne oci=oc ori=or orm=om ory=or oss=os pan=pa pbu=ps per=fa pes=fa plt=mg pol=pl por=pt \
        prp=gu prs=fa-AF pus=ps que=qu quz=qu roh=rm ron=ro rum=ro run=rn rus=ru sag=sg san=sa scc=sr scr=hr \
        sh=sr-Latn sin=si slk=sk slo=sk slv=sl sme=se sna=sn snd=sd som=so sot=st spa=es spy=kln sqi=sq src=sc \
        srd=sc srp=sr sun=su swa=sw swc=sw-CD swe=sv swh=sw tam=ta tat=tt tel=te tgk=tg tgl=fil tha=th tib=bo tir=ti \
        tl=fil tnf=fa-AF ton=to tsn=tn tuk=tk tur=tr tw=ak twi=ak uig=ug ukr=uk urd=ur uzb=uz uzn=uz vie=vi wel=cy \
        wol=wo xho=xh ydd=yi yid=yi yor=yo zho=zh zsm=ms zul=zu
        """)

    /// Replaced region subtags: numbers, and states that no longer exist.
    static let regions = table(
        """
        AN=CW BU=MM CS=RS CT=KI DD=DE DY=BJ FQ=AQ FX=FR HV=BF JT=UM MI=UM NH=VU NQ=AQ NT=SA PC=FM PU=UM PZ=PA QU=EU \
        RH=ZW SU=RU TP=TL UK=GB VD=VN WK=UM YD=YE YU=RS ZR=CD 004=AF 008=AL 010=AQ 012=DZ 016=AS 020=AD 024=AO \
        028=AG 031=AZ 032=AR 036=AU 040=AT 044=BS 048=BH 050=BD 051=AM 052=BB 056=BE 060=BM 062=034 064=BT 068=BO \
        070=BA 072=BW 074=BV 076=BR 084=BZ 086=IO 090=SB 092=VG 096=BN 100=BG 104=MM 108=BI 112=BY 116=KH 120=CM \
        124=CA 132=CV 136=KY 140=CF 144=LK 148=TD 152=CL 156=CN 158=TW 162=CX 166=CC 170=CO 172=RU 174=KM 175=YT \
        178=CG 180=CD 184=CK 188=CR 191=HR 192=CU 196=CY 200=CZ 203=CZ 204=BJ 208=DK 212=DM 214=DO 218=EC 222=SV \
        226=GQ 230=ET 231=ET 232=ER 233=EE 234=FO 238=FK 239=GS 242=FJ 246=FI 248=AX 249=FR 250=FR 254=GF 258=PF \
        260=TF 262=DJ 266=GA 268=GE 270=GM 275=PS 276=DE 278=DE 280=DE 288=GH 292=GI 296=KI 300=GR 304=GL 308=GD \
        312=GP 316=GU 320=GT 324=GN 328=GY 332=HT 334=HM 336=VA 340=HN 344=HK 348=HU 352=IS 356=IN 360=ID 364=IR \
        368=IQ 372=IE 376=IL 380=IT 384=CI 388=JM 392=JP 398=KZ 400=JO 404=KE 408=KP 410=KR 414=KW 417=KG 418=LA \
        422=LB 426=LS 428=LV 430=LR 434=LY 438=LI 440=LT 442=LU 446=MO 450=MG 454=MW 458=MY 462=MV 466=ML 470=MT \
        474=MQ 478=MR 480=MU 484=MX 492=MC 496=MN 498=MD 499=ME 500=MS 504=MA 508=MZ 512=OM 516=NA 520=NR 524=NP \
        528=NL 530=CW 531=CW 532=CW 533=AW 534=SX 535=BQ 536=SA 540=NC 548=VU 554=NZ 558=NI 562=NE 566=NG 570=NU \
        574=NF 578=NO 580=MP 581=UM 582=FM 583=FM 584=MH 585=PW 586=PK 591=PA 598=PG 600=PY 604=PE 608=PH 612=PN \
        616=PL 620=PT 624=GW 626=TL 630=PR 634=QA 638=RE 642=RO 643=RU 646=RW 652=BL 654=SH 659=KN 660=AI 662=LC \
        663=MF 666=PM 670=VC 674=SM 678=ST 682=SA 686=SN 688=RS 690=SC 694=SL 702=SG 703=SK 704=VN 705=SI 706=SO \
        710=ZA 716=ZW 720=YE 724=ES 728=SS 729=SD 732=EH 736=SD 740=SR 744=SJ 748=SZ 752=SE 756=CH 760=SY 762=TJ \
        764=TH 768=TG 772=TK 776=TO 780=TT 784=AE 788=TN 792=TR 795=TM 796=TC 798=TV 800=UG 804=UA 807=MK 810=RU \
        818=EG 826=GB 830=JE 831=GG 832=JE 833=IM 834=TZ 840=US 850=VI 854=BF 858=UY 860=UZ 862=VE 876=WF 882=WS \
        886=YE 887=YE 890=RS 891=RS 894=ZM 958=AA 959=QM 960=QN 962=QP 963=QQ 964=QR 965=QS 966=QT 967=EU 968=QV \
        969=QW 970=QX 971=QY 972=QZ 973=XA 974=XB 975=XC 976=XD 977=XE 978=XF 979=XG 980=XH 981=XI 982=XJ 983=XK \
        984=XL 985=XM 986=XN 987=XO 988=XP 989=XQ 990=XR 991=XS 992=XT 993=XU 994=XV 995=XW 996=XX 997=XY 998=XZ \
        999=ZZ
        """)

    /// Whole tags that predate the grammar.
    static let grandfathered = [
        "art-lojban": "jbo", "cel-gaulish": "xtg", "en-gb-oed": "en-GB-oxendict", "no-bok": "nb", "no-nyn": "nn",
        "sgn-be-fr": "sfb", "sgn-be-nl": "vgt",
        "sgn-ch-de": "sgg", "zh-guoyu": "zh", "zh-hakka": "hak", "zh-min-nan": "nan", "zh-xiang": "hsn",
    ]

    private static func table(_ text: String) -> [String: String] {
        var table: [String: String] = [:]
        for entry in text.split(separator: " ") {
            let sides = entry.split(separator: "=")
            if sides.count == 2 { table[String(sides[0])] = String(sides[1]) }
        }
        return table
    }
}
