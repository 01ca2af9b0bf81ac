/** Shows the key of a button. Screen readers read `aria-keyshortcuts` instead. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <span className="key-hint" aria-hidden>
      {keys}
    </span>
  );
}
