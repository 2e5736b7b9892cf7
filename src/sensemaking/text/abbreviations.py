"""What sentence splitting knows of each language: abbreviations, and words that open a sentence.

Entries are written without the last full stop. Parts of one abbreviation are joined by a full
stop, whether or not the text has a space there: ``z.B`` stands for "z.B." and "z. B.". An entry in
lower case also matches with a capital first letter or in capitals, but a single letter only as it
is written. An entry with a capital matches as it is written only: "Art." is not "art.".
"""

from dataclasses import dataclass
from functools import cached_property


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True)
class LanguageRules:
    """The knowledge of one language.

    Attributes:
        before: Abbreviations that always have something after them, so never end a sentence.
        numbered: Abbreviations with a number, a Roman numeral or a letter after them
            ("Fig. 3", "vol. II"). Before a word with a capital they are like ordinary words.
        closing: Abbreviations that a name may follow ("U.S. Senate", "5 Mio. Franken"): they end
            a sentence only before one of the ``starters``.
        dated: Abbreviations of points in time ("у XX ст.", "at 5 p.m."): they end a sentence
            before a capital, unless the sentence has so far been nothing but that point.
        figures: Those of ``numbered`` that open captions ("Fig. 5.1. The heart").
        starters: Words that, with a capital, open a sentence. In lower case.
        never_first: Words with a capital that continue after an abbreviation (currencies,
            days of the week).
        letter_labels: Nouns before a single letter that is no initial ("plan B").
        epithets: Endings of words that follow a ruler's name and number ("Karel IV. Lucemburský");
            None where nouns have capitals, so that nothing tells these from a new sentence.
        ordinals: Whether a number or a Roman numeral with a full stop is an ordinal.
        before_ordinal: Words before an ordinal ("im 1. Stock"). In lower case.
        after_ordinal: Words with a capital that make the number before them an ordinal.
        in_reference: Words before a figure's abbreviation where it is no caption ("see Fig. 3").
        single_words: Single letters that are words and may end a sentence.
        time_openers: Words that open an adverbial of time ("У 1991 р. Україна …").
        speech: Verbs of speech after a name ("'Why?' Tom asked."). In lower case.
        lower_start: Letters that a word needs at least for a full stop after it to end the
            sentence even before a small letter (headings set in small capitals come out of PDFs
            in lower case). Shorter words are more often abbreviations that are not listed.
    """

    before: frozenset[str]
    numbered: frozenset[str]
    closing: frozenset[str]
    figures: frozenset[str]
    starters: frozenset[str]
    letter_labels: frozenset[str]
    in_reference: frozenset[str]
    lower_start: int
    dated: frozenset[str] = frozenset()
    never_first: frozenset[str] = frozenset()
    epithets: tuple[str, ...] | None = None
    ordinals: bool = False
    before_ordinal: frozenset[str] = frozenset()
    after_ordinal: frozenset[str] = frozenset()
    single_words: frozenset[str] = frozenset()
    time_openers: frozenset[str] = frozenset()
    speech: frozenset[str] = frozenset()

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The kind of each abbreviation: dated, closing, numbered or before, in this order."""
        return {**self.kinds_undated, **dict.fromkeys(self.dated, "dated")}

    @cached_property
    def kinds_undated(self) -> dict[str, str]:
        """The same for abbreviations that no number or century comes before."""
        return {
            **dict.fromkeys(self.before, "before"),
            **dict.fromkeys(self.numbered, "numbered"),
            **dict.fromkeys(self.closing, "closing"),
        }


ENGLISH = LanguageRules(
    before=_words(
        "mr mrs ms messrs dr drs prof profs assoc asst Gen Lt Col Maj Capt Cpt Cmdr Cdr Sgt Cpl"
        " Pvt Adm Brig Rev Fr Hon Gov Sen Rep Pres Supt Insp Det Mme Mlle Mgr Amb Mt Ft Pt e.g"
        " eg i.e ie cf viz vs v approx esp incl excl resp a.k.a w.r.t i.a q.v attn abbr"
    ),
    numbered=_words(
        "no nos nr fig figs tab tabs sec secs sect art arts vol vols ch chap chaps p pp pg"
        " para paras eq eqs eqn ver pts c ca fol ff bk max min avg tel ext hr hrs ft oz lb lbs"
        " yd etc jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur"
        " thurs fri apt rm fl temp press o.k app apps op opp "
    ),
    closing=_words(
        "al inc ltd co corp bros jr sr esq u.s u.s.a u.k u.n e.u d.c n.y l.a n.z ph.d b.a b.sc"
        " b.s m.a m.sc m.s m.d ll.b ll.m m.b.a d.phil m.phil ed.d b.c a.d b.c.e c.e st ave blvd"
        " rd hwy dept govt bldg assn univ inst ed eds est Calif Conn Penn Ariz Fla Okla Tenn Tex"
        " Wis"
    ),
    dated=_words("a.m p.m pm"),
    figures=_words("fig figs tab"),
    starters=_words(
        "a an the this that these those it he she they we you i there here his her its their"
        " our my your in on at by for from with without within into onto upon after before as"
        " if when whenever while whereas since because although though however therefore thus"
        " hence moreover furthermore nevertheless nonetheless meanwhile otherwise then next"
        " later now today tomorrow yesterday tonight soon finally eventually recently once"
        " first second third but and or so yet nor both each every either neither all any some"
        " many most much few several other others another such no not none nobody nothing"
        " everyone everybody everything someone somebody something what who whom whose which"
        " where why how is are was were do does did can could would should must has have had"
        " let one two three even still also only just instead perhaps maybe please yes during"
        " under between among over through throughout despite until unless of to up down"
        " together again never always often sometimes usually see note nowadays consequently"
        " additionally similarly yours hers ours theirs mine"
    ),
    never_first=_words(
        "monday tuesday wednesday thursday friday saturday sunday january february march april"
        " june july august september october november december est edt cst cdt mst pst pdt gmt"
        " utc cet cest bst jan feb mar apr jun jul aug sep sept oct nov dec"
    ),
    letter_labels=_words(
        "plan vitamin vitamins type group class grade option case point part set step level"
        " line figure fig table tab section sec appendix hepatitis variant version model system"
        " student teacher category column row panel team answer question item example exhibit"
        " schedule annex product candidate word letter note key side phase stage unit variable"
        " method"
    ),
    in_reference=_words(
        "see in of from and or to with by on cf compare also the at than as per under into"
        " e.g i.e both consult use using following like shows consider study examine observe"
        " inspect check look"
    ),
    single_words=_words("I"),
    time_openers=_words("at by around about before after until till from since between just only"),
    speech=_words(
        "said says asked asks replied cried answered shouted whispered called exclaimed"
        " wondered added muttered yelled screamed demanded inquired enquired begged repeated"
        " thought wrote continued began laughed snapped sighed"
    ),
    lower_start=6,
)

GERMAN = LanguageRules(
    before=_words(
        "dr prof hrn frl ing dipl priv priv.doz hl st z.b zb z d.h dh vgl ca bzw sog sogen"
        " i.e i d evtl ggf gegebenenf bspw beisp bes insb insbes insbesond allg eigtl einschl"
        " ausschl inkl exkl zzgl abzgl gem lt od u o.g s.o s.u v.a v.b v.d v hrsg hg herausg"
        " verf übers begr gest geb gegr verh verw verst wg zw gg ehem urspr lat griech engl"
        " frz ital dt österr russ ahd mhd tschech poln ukr durchschn ungef etw jew jmd jmdn"
        " stellv techn wiss Abk Bsp Fa Gebr Hptm Lt Oblt Mgr svw o b a entspr betr bzgl zit"
        " Kard P Bgm Vors Mag Fr Hr med phil rer nat jur oec theol n z.B z.T z.Zt z.Hd z.Tl"
        " i.A i.Allg i.e.S i.w.S i.Br i.S.v i.d.R i.H.v m.E m.a.W a.D u.U o.B.d.A dent vet"
        " habil em m.W mult"
    ),
    numbered=_words(
        "nr nrn Abb Abbn Tab Kap Bd Bde Bl Abs Art Ziff Anm Aufl Ausg Abt Abschn Fn Gl Fig"
        " Lfg H S Sp Z Zl Pos Tel Tl Vers Vol Par Hs Taf Anh Beil Lit Rn Rz Rdnr jan jän feb"
        " mär apr jun jul aug sep sept okt nov dez Mo Di Mi Do Sa So Std Stdn std min max sek"
        " usw usf u.s.w u.s.f etc u.v.m u.v.a u.v.a.m u.a.m u.dgl u.dergl dgl dergl uvm uva"
        " u.ff f ff p pp o.k u.Ä o.Ä u.ä o.ä op"
    ),
    closing=_words(
        "u.a mio mrd mill tsd jh jhd jhdt Chr str pl co inc ltd jr sen al ph.d m.a b.a b.sc"
        " m.sc u.s u.s.a u.k u.n d.c Einw ev kath h.c Bez a.o v.Chr n.Chr v.u.Z n.u.Z e.V a.M"
        " a.Rh i.R d.Ä d.J d.Gr"
    ),
    figures=_words("abb fig tab taf"),
    starters=_words(
        "der die das den dem des ein eine einen einem einer eines kein keine keinen er sie es"
        " wir ihr ich du man mein dein sein unser euer meine deine seine ihre unsere dieser"
        " diese dieses diesen diesem jener jene jenes jeder jede jedes alle alles viele vieles"
        " manche manches einige etliche mehrere andere anderes beide beides solche welche"
        " welcher welches wer was wo wann warum wieso weshalb wie wohin woher wofür womit in im"
        " an am auf aus bei beim mit nach von vom vor zu zum zur über unter um ohne gegen durch"
        " für seit während wegen trotz zwischen hinter neben bis ab laut danach davor dann dort"
        " hier da damals dabei dadurch daher deshalb deswegen darum damit dafür dagegen daraus"
        " darin darauf daran darüber dazu außerdem allerdings jedoch doch aber und oder denn"
        " sondern zudem ferner schließlich zuerst zunächst zuletzt später früher heute gestern"
        " morgen jetzt nun bald sofort immer nie niemals oft manchmal selten wenn als weil"
        " obwohl obgleich falls ob dass sobald solange nachdem bevor ehe indem so auch nur noch"
        " schon erst fast etwa vielleicht wahrscheinlich natürlich leider ja nein nicht nichts"
        " niemand jemand etwas ist sind war waren wird wurde wurden hat haben hatte kann können"
        " konnte soll sollte muss müssen trotzdem dennoch somit also folglich inzwischen"
        " mittlerweile seitdem seither zusätzlich insgesamt meist meistens häufig bereits ebenso"
        " ebenfalls weitere weiterhin insbesondere besonders anschließend zugleich gleichzeitig"
        " sonst ansonsten denen dessen deren zwei drei wohl siehe vgl nachher vorher abends"
        " morgens mittags"
    ),
    never_first=_words(
        "januar jänner februar märz april mai juni juli august september oktober november"
        " dezember uhr euro eur franken"
    ),
    letter_labels=_words(
        "vitamin plan typ gruppe klasse punkt hepatitis variante version fall teil stufe system"
        " modell frage antwort option anhang abschnitt linie spalte zeile kategorie buchstabe"
    ),
    before_ordinal=_words(
        "der die das den dem des im in am an zum zur beim vom von ab bis seit nach vor mit und"
        " oder sowie auf aus ein eine einen einem einer eines kein keine sein seine seinen"
        " seinem seiner ihr ihre ihren ihrem ihrer mein meine meinen meinem unser unsere unseren"
        " jeder jede jedes jeden jedem dieser diese dieses diesem diesen ins ans ums beide als"
        " pro je gegen über unter für zwischen während heute"
    ),
    after_ordinal=_words(
        "januar jänner februar märz april mai juni juli august september oktober november"
        " dezember jan jän feb mär apr jun jul aug sep sept okt nov dez jahrhundert jahrhunderts"
        " jahrhunderte jh jhd jahrtausend jahrtausends weltkrieg weltkriegs weltkrieges stock"
        " auflage klasse semester kapitel platz lebensjahr geburtstag jahrestag quartal halbjahr"
        " hälfte stockwerk etage person liga mal schuljahr"
    ),
    in_reference=_words(
        "siehe s vgl in und oder aus von mit auf zu gemäß laut nach die der den dem auch"
        " sowie bis zeigt zeigen vergleiche betrachte beachte sieh studiere"
    ),
    ordinals=True,
    lower_start=8,
)

CZECH = LanguageRules(
    before=_words(
        "ing mudr mvdr judr phdr rndr paeddr pharmdr thdr bc bca mga mgr doc prof dr ak akad"
        " p plk pplk mjr kpt por npor ppor čet des škpt sv blah ct vel např napr tj tjn tzn"
        " tzv t.j t.zn t.zv t.č t.m mj zejm hl vč popř příp resp event ev srov zn zvl cca ca"
        " angl něm franc řec špan č.p č.j č.ev zkr přibl přibližně býv dř ul tř nábř bul n"
        " evid nar techn mezinár čes čsl samost red vyd uprav sest hud dram r m t d z v o u"
        " zemř fa"
    ),
    numbered=_words(
        "č čís obr tab kap str s čl odst písm pozn příl par zák vyhl sb roč tel hod min max"
        " sek vt vol fig ods op okt pol atd apod atp aj a.j a.pod mil mld tis csc drsc ph.d"
        " dis ll.m th.d a.s s.r.o s.p o.s z.s v.o.s k.s o.p.s spol ltd inc ř l kč"
    ),
    closing=_words("al jr sen jun st ml sl u.s u.s.a u.k d.c gen arch nám"),
    dated=_words("stol n.l př.n.l kr n.e př.n.e př.Kr po.Kr"),
    figures=_words("obr tab fig"),
    starters=_words(
        "a i ale ani nebo či však tedy proto protože neboť jenže jen jenom pouze také taky též"
        " dokonce dále potom pak poté předtím nejprve nejdříve nakonec konečně později dříve"
        " tehdy dnes včera zítra nyní teď brzy hned ihned stále pořád vždy nikdy často někdy"
        " občas obvykle možná snad asi prý určitě ano ne nic nikdo něco někdo každý každá každé"
        " všichni všechno všechny vše celý celá několik mnoho málo mnozí někteří některé ostatní"
        " jiní jiné oba obě jeden jedna jedno první druhý druhá druhé třetí ten ta to ti ty tato"
        " tento toto tyto tito takový taková takové on ona ono oni ony my vy já mě mu mi jemu jí"
        " jim jeho její jejich můj moje náš naše váš vaše svůj tam tady zde sem odtud tak takto"
        " když kdyby aby jestli jestliže pokud zatímco ačkoli ačkoliv přestože že co kdo kde kam"
        " kdy jak jaký jaká jaké proč který která které kolik čí v ve na do z ze od k ke ku s se"
        " u o po pod nad před přes při pro bez za mezi mimo kolem během podle díky kvůli vedle"
        " proti je jsou byl byla bylo byli byly bude budou má mají měl měla může mohou musí lze"
        " není nejsou nebyl nelze navíc naopak přesto ovšem například tím tomu toho této těchto"
        " mimoto kromě místo oproti následně zároveň současně bohužel samozřejmě dva dvě tři viz"
        " psal"
    ),
    never_first=_words("kč sb čr eur usd csc drsc ph phd dis mba"),
    letter_labels=_words(
        "vitamín vitamin vitaminu plán typ typu skupina skupiny třída třídy bod varianta verze"
        " žloutenka hepatitida část příloha sloupec řádek kategorie model systém písmeno"
    ),
    before_ordinal=_words(
        "v ve na od do k ke ku po před za dne dny až z ze s se a i nebo či o u při pro mezi ten"
        " ta to tento tato toto každý každého roku den jeho její také"
    ),
    after_ordinal=_words(
        "ledna února března dubna května června července srpna září října listopadu prosince"
        " leden únor březen duben květen červen červenec srpen říjen listopad prosinec máje"
        " století světová světové republika republiky čtvrtletí pololetí ročník"
    ),
    in_reference=_words(
        "viz v ve na a i z ze s se srov např dle podle do od k u o po také vidíme uvádí"
        " ukazuje prohlédněte porovnejte"
    ),
    time_openers=_words(
        "v ve na od do z ze po před kolem během asi teprve až již už dne roku koncem začátkem"
        " počátkem okolo zhruba ke k právě"
    ),
    epithets=("ský", "cký", "ského", "ckého", "skému", "ckému", "ském", "ckém", "ským", "ckým"),
    ordinals=True,
    lower_start=8,
)

UKRAINIAN = LanguageRules(
    before=_words(
        "напр наприкл див пор порівн гр проф доц акад канд асист викл підполк кап лейт серж"
        " св ім вул просп пр-т пр пров бул бульв наб майд сел оз буд кв корп кім каб т.зв т.б"
        " англ нім фр франц лат грец рос укр польськ італ ісп староукр давньогр давньорус нар"
        " прибл близьк бл зокр спец заст розм ред упоряд уклад перекл зав нач дир мол зб засн"
        " скор екв протоієр архієп митр а.с с м р х о г п пом"
    ),
    numbered=_words(
        "рис мал табл іл фіг стор ст пп гл розд част ч т тт вип абз дод арк оп ф спр год хв"
        " сек тис млн млрд трлн грн коп крб дол тощо т.д т.п т.ін т.інш ін інш січ лют берез"
        " квіт трав черв лип серп верес жовт листоп груд макс мін тел екз шт пол поч кін сер"
        " тов рр"
    ),
    closing=_words("al inc ltd co jr обл р-н ген полк"),
    dated=_words("р рр ст стст ст.ст н.е р.х"),
    figures=_words("рис мал табл іл фіг"),
    starters=_words(
        "а і й та але або чи проте однак зате отже тому тож адже бо якщо якби коли доки поки"
        " хоча хоч щоб щойно оскільки що хто де куди звідки як який яка яке які чому навіщо"
        " скільки чий цей ця це ці той те ті такий така таке такі він вона воно вони ми ви я ти"
        " його її їх їхній їхня їхнє їхні мій моя моє мої наш наша наше наші ваш ваша ваше ваші"
        " свій своя йому їй їм нам вам мені мене нас вас тебе тобі кожен кожна кожне кожний усі"
        " всі усе все весь уся вся багато кілька декілька чимало мало деякі дехто дещо інші"
        " інший інша інше обидва обидві один одна одне одні два дві три перший перша перше друга"
        " другий друге третій у в на до з із зі зо від за під над при про по через між перед"
        " після для без крім окрім серед біля навколо протягом упродовж впродовж внаслідок"
        " завдяки замість щодо згідно відповідно там тут тоді потім пізніше раніше спочатку"
        " спершу нарешті згодом зараз тепер нині сьогодні вчора завтра одразу відразу завжди"
        " ніколи часто іноді інколи зазвичай можливо мабуть певно звичайно безумовно так ні"
        " ніхто ніщо нічого хтось щось також теж ще вже уже лише тільки навіть майже саме ось он"
        " наприклад того разом зокрема особливо насправді водночас натомість навпаки є був була"
        " було були буде будуть можна треба слід варто необхідно може можуть має мають мав мала"
        " цього цієї цих цим тим тієї тих цьому отак таким близько понад більшість більше менше"
        " звідси туди сюди відтоді відтак невдовзі незабаром нема немає"
    ),
    letter_labels=_words(
        "вітамін вітаміну вітаміни вітамінів гепатит гепатиту план плану група групи клас класу"
        " тип типу варіант пункт категорія категорії модель система літера буква точка частина"
        " додаток рівень"
    ),
    in_reference=_words(
        "див на у в і й та або з із за до від як пор порівн також чи розгляньте порівняйте"
    ),
    single_words=_words("я є"),
    time_openers=_words(
        "у в з із від до після на під наприкінці напередодні близько протягом упродовж впродовж"
        " лише тільки вже уже ще аж саме приблизно й і а але та починаючи станом десь"
    ),
    lower_start=5,
)

LANGUAGES = {"cs": CZECH, "de": GERMAN, "en": ENGLISH, "uk": UKRAINIAN}
