/** A bank statement and a cash book of June 2026, whose close was calculated by hand. */
export const CFP_BANK = `Account: Northgate Bank Business Current 40-12-88 71449302
Opening balance,01/06/2026,,,,,12500.00
Date,Value Date,Type,Details,Paid Out,Paid In,Balance
01/06/2026,01/06/2026,BGC,RCT-0601,,"£1,820.50","14,320.50"
03/06/2026,03/06/2026,CHG,CHG-Q2,30.00,,"14,290.50"
05/06/2026,05/06/2026,SO,DD-RENT,"2,400.00",,"11,890.50"
07/06/2026,07/06/2026,FPO,FPO-WAGES,"3,180.00",,"8,710.50"
08/06/2026,08/06/2026,BGC,RCT-0608,,"2,140.75","10,851.25"
10/06/2026,10/06/2026,FPO,INV-2026-035,742.60,,"10,108.65"
12/06/2026,12/06/2026,DD,DD-ELEC,318.90,,"9,789.75"
15/06/2026,15/06/2026,BGC,RCT-0615,,"1,975.20","11,764.95"
16/06/2026,16/06/2026,FPI,RCT-MILLER,,500.00,"12,264.95"
18/06/2026,19/06/2026,FPO,INV-2230,64.31,,"12,200.64"
20/06/2026,20/06/2026,FPO,INV-2214,819.00,,"11,381.64"
22/06/2026,22/06/2026,DD,DD-INS,96.50,,"11,285.14"
23/06/2026,23/06/2026,BGC,RCT-BARISTA,,128.40,"11,413.54"
25/06/2026,25/06/2026,TFR,TRF-998812,"1,000.00",,"10,413.54"
27/06/2026,27/06/2026,DD,,45.20,,"10,368.34"
29/06/2026,29/06/2026,BGC,DEP-0629,,900.00,"11,268.34"
30/06/2026,30/06/2026,INT,INT-JUN,,12.15,"11,280.49"
`;

export const CFP_BOOKS = `Date,Voucher,Particulars,Receipts,Payments
01/06/2026,RCT-0601,Card takings 01 Jun,"1,820.50",
05/06/2026,DD-RENT,Grafton Estates rent,,"2,400.00"
07/06/2026,FPO-WAGES,Staff wages w/e 07 Jun,,"3,180.00"
08/06/2026,RCT-0608,Card takings 08 Jun,"2,140.75",
10/06/2026,INV-2026-035,Barista Co Ltd coffee order,,742.60
12/06/2026,DD-ELEC,PowerGrid Energy direct debit,,318.90
13/06/2026,CHQ-1043,Fresh Produce Ltd,,"(1,275.00)"
15 Jun 2026,RCT-0615,Card takings 15 Jun,"1,975.20",
16/06/2026,RCT-MILLER,Miller event deposit,500.00,
18/06/2026,INV-2230,DHL import duty,,64.30
20/06/2026,INV-2214,Thornton Bakery Ltd,,891.00
22/06/2026,DD-INS,Hiscox Insurance direct debit,,96.50
23/06/2026,RCT-BARISTA,Barista Co Ltd supplier rebate,128.40,
25/06/2026,TRF-5567,Transfer to savings account,,"1,000.00"
26/06/2026,RCT-DEL,Delgado cheque received,450.00,
27/06/2026,,Verifone card machine fee,,45.20
27/06/2026,RCT-W1,Webb catering deposit,300.00,
28/06/2026,RCT-W2,Webb bar sales,250.00,
29/06/2026,RCT-W3,Webb function room hire,350.00,
29/06/2026,RCT-0629,Card takings 29 Jun,"2,260.30",
`;

/** The matches that a person makes by hand after a run, as references of their records. */
export const CFP_BY_HAND: readonly (readonly string[])[] = [
  ['INV-2214', 'INV-2214'],
  ['INV-2230', 'INV-2230'],
  ['TRF-998812', 'TRF-5567'],
  ['DEP-0629', 'RCT-W1', 'RCT-W2', 'RCT-W3'],
];
