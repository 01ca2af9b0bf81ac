/** The key that presses a button, for the eye alone: assistive software is told by `aria-keyshortcuts`. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <span className="key-hint" aria-hidden>
      {keys}
    </span>
  );
}
