/** The page around the report: banner, contents and checks. It follows after the report's own style. */
export const PACK_STYLE = `:root{--text:#17201d;--text-2:#4a5551;--text-3:#626c68;--line:#e4e7e3;--line-2:#cfd5d0;--tint:#dcebe5;--good:#14553f;--bad:#b3261e;--bad-text:#9f1f18;--bad-tint:#fbe9e7;--sunken:#f8f9f7}
html{scroll-padding-top:112px}
.f.ch{background:var(--bad-tint);color:var(--bad-text);box-shadow:0 0 0 2px var(--bad-tint)}.f.ch::before{content:"◆ ";font-size:.8em;color:var(--bad)}
@media screen{
body{background:#fff;padding:0;font-size:13px;color:var(--text)}
.hid{position:sticky;top:0;z-index:5;background:#fff}
.ban{display:flex;align-items:center;gap:12px;min-height:52px;padding:8px 20px;border-bottom:1px solid var(--line-2);background:#fbf0db;color:#7d4b00}
.ban .m{width:22px;height:22px;flex:none;border:1.75px solid currentColor;border-radius:50%;display:grid;place-items:center;font-weight:700;font-size:13px}
.ban p{font-size:14px;font-weight:600;line-height:19px}.ban small{display:block;font-size:12px;font-weight:400;line-height:17px}.ban>div{min-width:0;flex:1}
[data-checked=good] .ban{background:var(--tint);color:var(--good)}[data-checked=bad] .ban{background:var(--bad);color:#fff}
button{font:550 13px/1 var(--font);height:28px;padding:0 10px;border:1px solid currentColor;border-radius:6px;background:transparent;color:inherit;white-space:nowrap;cursor:pointer;flex:none}
:focus-visible{outline:2px solid var(--good);outline-offset:1px}
.bar{display:flex;align-items:center;gap:10px;min-height:44px;padding:4px 20px;border-bottom:1px solid var(--line);font-size:13px}
.bar b{font-size:15px;font-weight:620}.bar .q{color:var(--text-2);min-width:0;overflow-wrap:anywhere}.bar button{margin-left:auto;border-color:var(--line-2)}
.badge{display:inline-flex;align-items:center;gap:5px;height:20px;padding:0 7px;border-radius:4px;font-size:12px;font-weight:500;white-space:nowrap;background:var(--tint);color:var(--good)}
.badge.x{background:var(--bad-tint);color:var(--bad-text)}
.badge.d{background:#fbf0db;color:#7d4b00}
.lay{display:grid;grid-template-columns:176px minmax(0,1fr) 272px;align-items:start}
.toc,.chk{position:sticky;top:97px;height:calc(100vh - 97px);overflow:auto}
.toc{border-right:1px solid var(--line);padding:10px 8px;font-size:13px}
.toc a{display:flex;align-items:center;gap:8px;height:28px;padding:0 8px 0 10px;border-radius:6px;color:var(--text-2);text-decoration:none;white-space:nowrap}
.toc a:hover{background:#f1f4f1}.toc .k{width:16px;color:var(--text-3);font-size:12px}.toc .n{margin-left:auto;color:var(--text-3);font-size:12px;padding:0}.toc a.bad{color:var(--bad-text)}.toc a.bad .n::before{content:"◆ ";color:var(--bad)}
.chk{border-left:1px solid var(--line);background:var(--sunken);padding:14px 0 0;display:flex;flex-direction:column;font-size:13px;line-height:1.4}
.chk h2{display:block;font-size:12px;font-weight:600;color:var(--text-2);padding:0 16px 8px}
.ck{display:grid;grid-template-columns:14px minmax(0,1fr) auto;gap:0 8px;padding:7px 16px;border-top:1px solid var(--line);align-items:baseline}
.ck b{font-weight:600}.ck .v{white-space:nowrap;font-size:12px}.ck p{grid-column:2/4;font-size:12px;line-height:17px;color:var(--text-2);overflow-wrap:anywhere}
.ck.bad{background:var(--bad-tint)}.ck.bad b,.ck.bad p,.ck.bad .v{color:var(--bad-text)}
.mk{width:8px;height:8px;display:inline-block}.mk.g{border-radius:50%;background:#25765b}.mk.x{background:var(--bad);transform:rotate(45deg)}.mk.o{border-radius:50%;border:1.5px solid #878f8a}
.cmp{padding:0 16px 12px;font-size:12px;color:var(--text-2)}.cmp label{display:block;padding:10px;border:1.5px dashed #878f8a;border-radius:6px;text-align:center;cursor:pointer}.cmp input{width:100%;margin-top:6px;font-size:11px}.cmp p{margin-top:6px;overflow-wrap:anywhere}
.last{margin-top:auto;border-top:1px solid var(--line);padding:10px 16px 14px;font-size:12px;line-height:17px;color:var(--text-2)}
.doc{min-width:0;padding:18px 24px 64px}.doc>main{zoom:1.2;font-size:8.1pt;max-width:720px;margin:0 auto}.doc h1{font-size:14pt}.doc section{content-visibility:auto;contain-intrinsic-size:auto 900px;scroll-margin-top:100px}
}
@media screen and (max-width:1100px){.lay{grid-template-columns:minmax(0,1fr) 272px}.toc{display:none}}
@media screen and (max-width:760px){.lay{display:block}.chk,.hid{position:static;height:auto}.bar{flex-wrap:wrap}}
@media print{.hid,.toc,.chk{display:none}.lay,.doc{display:block}[data-checked=bad] .hid{display:block;border:2pt solid #000;padding:6pt;margin-bottom:9pt}.hid button{display:none}}`;
