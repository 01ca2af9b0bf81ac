/** Returns a word in the form of the lists: lower-case, without accents. */
export function plainWord(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Names of the months from January to December, full and short, in the forms that dates use. */
const NAMES: readonly string[] = [
  'jan january januar janvier janv enero ene gennaio gen januari janeiro styczen stycznia sty leden ledna janvar tammikuu tammi ocak oca ianuarie jaanuar janvaris sausio январь января янв январи січня ιανουαριος ιανουαριου ιαν',
  'feb february februar fevrier fevr fev febrero febbraio februari fevereiro luty lutego lut unor unora helmikuu helmi subat sub februarie veebruar februaris vasario февраль февраля фев февр февруари лютого φεβρουαριος φεβρουαριου φεβ',
  'mar march maerz marz mrz mars marzo maart mrt marco marzec marca brezen brezna marcius maaliskuu maalis mart martie maret marts kovo март марта мар березня μαρτιος μαρτιου μαρ',
  'apr april avril avr abril abr aprile kwiecien kwietnia kwi duben dubna aprilis huhtikuu huhti nisan nis aprilie aprill balandzio апрель апреля апр април квітня απριλιος απριλιου απρ',
  'may mai mayo maggio mag mei maio maj maja kveten kvetna majus toukokuu touko mayis maijs geguzes май мая травня μαιος μαιου μαι',
  'jun june juni juin junio giugno giu junho czerwiec czerwca cze cerven cervna junius kesakuu kesa haziran haz iunie juuni junijs birzelio июнь июня июн юни червня ιουνιος ιουνιου ιουν',
  'jul july juli juillet juil julio luglio lug julho lipiec lipca lip cervenec cervence julius heinakuu heina temmuz tem iulie juuli julijs liepos июль июля июл юли липня ιουλιος ιουλιου ιουλ',
  'aug august aout agosto ago augustus augusti sierpien sierpnia sie srpen srpna augusztus elokuu elo agustos agu agustus agt augusts rugpjucio август августа авг серпня αυγουστος αυγουστου αυγ',
  'sep sept september septembre septiembre settembre set setembro wrzesien wrzesnia wrz zari szeptember syyskuu syys eylul eyl septembrie septembris rugsejo сентябрь сентября сен сент септември вересня σεπτεμβριος σεπτεμβριου σεπ',
  'oct october okt oktober octobre octubre ottobre ott outubro out pazdziernik pazdziernika paz rijen rijna lokakuu loka ekim eki octombrie oktoober oktobris spalio октябрь октября окт октомври жовтня οκτωβριος οκτωβριου οκτ',
  'nov november novembre noviembre novembro listopad listopada lis marraskuu marras kasim kas noiembrie novembris lapkricio ноябрь ноября ноя нояб ноември νοεμβριος νοεμβριου νοε',
  'dec december dez dezember decembre diciembre dic dicembre dezembro grudzien grudnia gru prosinec prosince joulukuu joulu aralik ara decembrie des desember detsember decembris gruodzio декабрь декабря дек декември грудня δεκεμβριος δεκεμβριου δεκ',
];

const MONTH_BY_NAME: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, index) => names.split(' ').map((name) => [plainWord(name), index + 1] as const)),
);
const WEEKDAYS =
  'mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday sunday mo di mi do fr sa so montag dienstag mittwoch donnerstag freitag samstag sonntag lun mar mer jeu ven sam dim lundi mardi mercredi jeudi vendredi samedi dimanche ' +
  'seg ter qua qui sex segunda terca quarta quinta sexta sabado domingo lunes martes miercoles jueves viernes ' +
  'lunedi martedi mercoledi giovedi venerdi sabato domenica maandag dinsdag woensdag donderdag vrijdag zaterdag zondag';
const FILLERS: ReadonlySet<string> = new Set(`st nd rd th de del of den la le г года р ${WEEKDAYS}`.split(' ').map(plainWord));

/** Returns the month that a plain word names, 1 to 12; else null. */
export function monthNamed(word: string): number | null {
  return MONTH_BY_NAME.get(word) ?? null;
}

/** Whether a plain word can accompany a date: a day of the week, "of", "th". */
export function isDateFiller(word: string): boolean {
  return FILLERS.has(word);
}
