/** Normalised words: lower case, without marks, separated by blanks. */
export const INTEREST = phrase([
  // English
  'interest|int (?:paid|earned|charged|cr|dr|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|overdraft int',
  // German, Dutch, Nordic
  '\\p{L}*zins(?:en)?|zinsertrag|zinsabschluss|rente(?:baten|lasten)?|creditrente|debetrente|ranta|rantor|renter|korko|korot|vextir',
  // French, Italian, Spanish, Portuguese, Romanian
  'interets?|agios|interess[ei]|interes(?:es)?|intereses|juros?|dobanda|dobanzi',
  // Polish, Czech, Slovak, Hungarian, Croatian, Slovene, Baltic, Turkish, Greek
  'odsetki|urok[yu]?|kamatok?|kamata|kamate|obresti|palukanos|procenti|intress|faiz|τοκοι|τοκος',
  // Russian, Ukrainian, Bulgarian
  'процент(?:ы|и)?|лихва|лихви|відсотки',
]);
/** What a bank calls the kind of line; elsewhere `int` may be international. */
export const INTEREST_KIND = /^(?:int|intr)$/;
export const INTEREST_SIGNS = /利息|結息|结息|이자/u;

export const CHARGE = phrase([
  'chg|chgs|chrg|bank (?:charges?|fees?|fee charge)|account (?:charges?|fees?|maintenance)|maintenance (?:charges?|fees?)|monthly (?:account )?(?:charges?|fees?)',
  'service (?:charges?|fees?)|transaction (?:charges?|fees?)|transfer (?:charges?|fees?)|wire (?:charges?|fees?)|overdraft (?:charges?|fees?)|unpaid (?:charges?|fees?)|returned item (?:charges?|fees?)|nsf fees?|atm fees?|card fees?|arrangement fees?|merchant (?:charges?|fees?)|foreign (?:transaction )?(?:charges?|fees?)|commission charges?|quarterly charges?',
  // German, Dutch, Nordic
  'kontofuhrung\\p{L}*|kontoabschluss|\\p{L}*gebuhr(?:en)?|\\p{L}*gebuehr(?:en)?|\\p{L}*entgelte?|spesen|bankkosten|kosten rekening|bankgebyr|gebyr(?:er)?|bankavgift(?:er)?|avgift(?:er)?|palvelumaksu(?:t)?',
  // French, Italian, Spanish, Portuguese, Romanian
  'frais(?: bancaires?| de tenue de compte| de gestion)?|commission de (?:mouvement|compte)|cotisation carte|commissioni|spese (?:bancarie|di tenuta conto|conto)|canone(?: mensile)?|imposta di bollo|comision(?:es)?(?: bancarias?)?|gastos bancarios|comissao|comissoes|tarifa bancaria|despesas bancarias|manutencao de conta|comision administrare cont',
  // Polish, Czech, Slovak, Hungarian, Croatian, Slovene, Turkish
  'oplata(?: za)?(?: prowadzenie)?|oplaty bankowe|prowizja|poplatek|poplatky|(?:banki )?dij|szamlavezetesi dij|jutalek|naknada|nadomestilo|provizija|banka masrafi|masraf|hesap isletim ucreti|eft masrafi|havale masrafi',
  // Russian, Ukrainian, Bulgarian, Greek
  'комиссия|комиссии|комісія|такса|προμηθεια|εξοδα τραπεζας',
]);
export const CHARGE_SIGNS = /手续费|手續費|手数料|服务费|管理费|수수료/u;
/** Words that say it only where hardly anything else is said: a school has fees, too. */
export const WEAK = phrase(['charges?|fees?|commission|cost|kosten|costs']);
function phrase(alternatives: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'u');
}
