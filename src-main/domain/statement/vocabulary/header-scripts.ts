import type { HeaderMeaning, Meaning } from './meaning.ts';
import { normaliseHeader } from './plain-words.ts';

const VALUE_DAYS =
  '起算日 起息日 計息日 计息日 기산일 валютирования дата_валют вальор ημ_νια_αξιας ημερομηνια_αξιας ημ_νια_valeur ημερομηνια_valeur תאריך_ערך תאריך_הערך יום_ערך تاريخ_القيمة تاريخ_الحق วันที่มีผล';
const DOCUMENT_DAYS = '凭证日期 憑證日期 单据日期 單據日期 伝票日付 증빙일자 дата_документа תאריך_מסמך تاريخ_المستند';

/**
 * Words of headers in scripts other than Latin, as banks write them. The first fitting row of a meaning counts. The words match anywhere in a header,
 * because some of these scripts write no spaces.
 */
const WORDS: readonly (readonly [Meaning, number, string])[] = [
  ['date', 4, VALUE_DAYS],
  ['date', 6, DOCUMENT_DAYS],
  ['value_date', 10, VALUE_DAYS],
  ['value_date', 5, DOCUMENT_DAYS],
  [
    'date',
    9,
    '年月日 日付 取引日 お取引日 お取り引き日 利用日 交易日 记账日 入账日 記帳日 交易时间 日期 거래일 거래_일시 일자 날짜 дата датум ημερομηνια ημ_νια תאריך التاريخ تاريخ วันที่ วัน_เดือน',
  ],
  ['balance', 3, '可用余额 可用餘額 доступн διαθεσιμο יתרה_זמינה الرصيد_المتاح'],
  ['balance', 10, '残高 余额 餘額 结余 結餘 잔액 остаток остатък залишок салдо стање баланс υπολοιπο היתרה יתרה الرصيد ยอดคงเหลือ คงเหลือ'],
  ['amount', 9, '入出金 収支金額'],
  [
    'paid_in',
    10,
    '入金 収入 お預入れ お預け入れ 預入 預かり金額 お預り金額 收入 存入 贷方 貸方 转入 입금 맡기신금액 приход поступлен зачислен зарахуван надходжен кредит πιστωση καταθεσ בזכות זכות دائن ايداع إيداع ฝาก เงินเข้า',
  ],
  [
    'paid_out',
    10,
    '出金 お引出し お引き出し 引出 支払 お支払い 支出 支取 借方 转出 출금 찾으신금액 지급 расход списан видат списание дебет дебит χρεωση αναληψ בחובה חובה مدين سحب ถอน เงินออก',
  ],
  ['direction', 10, '收_支 收付 入払区分 収支区分 借贷 借貸 προσημο приход_расход дебет_кредит'],
  ['amount', 8, '金額 金额 거래금액 금액 сумма сума износ ποσο סכום المبلغ مبلغ จำนวนเงิน'],
  ['currency', 10, '通貨 币种 幣別 币别 货币 貨幣 통화 валюта νομισμα מטבע العملة สกุลเงิน'],
  [
    'description',
    9,
    '摘要 お取り扱い内容 取引内容 入出金内容 内容 交易摘要 摘由 附言 说明 說明 备注 적요 거래내용 описание назначен опис περιγραφη αιτιολογια תיאור פרטים البيان الوصف التفاصيل รายการ รายละเอียด',
  ],
  ['reference', 8, '参考 参照 交易单号 流水号 참조 референс אסמכתא المرجع'],
  ['status', 10, '状态 當前狀態 狀態 当前状态 交易状态 状況 ステータス 상태 статус состояние стан κατασταση סטטוס מצב الحالة حالة สถานะ'],
];

const PATTERNS = WORDS.map(([meaning, rank, words]) => ({
  meaning,
  rank,
  pattern: new RegExp(
    words
      .split(' ')
      .map((word) => normaliseHeader(word))
      .join('|'),
  ),
}));
/** Marks the booked amount or day, beside those of a payment elsewhere. */
const BOOKED = /入账|入帐|入帳|记账|记帐|記帳/;
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}]/u;
/** A header has at most one of these meanings. */
const MONEY: ReadonlySet<Meaning> = new Set(['balance', 'paid_in', 'paid_out', 'amount', 'direction']);

/** Returns all possible meanings of a header in a script other than Latin; empty for a Latin one. */
export function meaningsInScripts(words: string): readonly HeaderMeaning[] {
  if (!OTHER_SCRIPT.test(words)) return [];
  const found: HeaderMeaning[] = [];
  const isDirection = PATTERNS.some(({ meaning, pattern }) => meaning === 'direction' && pattern.test(words));
  for (const { meaning, rank, pattern } of PATTERNS) {
    if (!pattern.test(words) || found.some((one) => one.meaning === meaning)) continue;
    if (MONEY.has(meaning) && (isDirection ? meaning !== 'direction' : found.some((one) => MONEY.has(one.meaning)))) continue;
    found.push({ meaning, rank: BOOKED.test(words) ? rank + 1 : rank });
  }
  return found;
}
