/** Offers a file to the reader as a download. */
export function saveFile(name: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content]));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By then, the download has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
