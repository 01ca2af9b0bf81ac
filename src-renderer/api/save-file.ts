interface GivenFile {
  readonly file_name: string;
  readonly content_type: string;
  readonly encoding: 'utf8' | 'base64';
  readonly content: string;
}

function bytesOf({ encoding, content }: GivenFile): BlobPart {
  return encoding === 'utf8' ? content : Uint8Array.from(atob(content), (letter) => letter.codePointAt(0) ?? 0);
}

/** Passes a file to the browser, which saves it to the downloads or asks where to save it. */
export function saveFile(file: GivenFile): void {
  const address = URL.createObjectURL(new Blob([bytesOf(file)], { type: file.content_type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = file.file_name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
