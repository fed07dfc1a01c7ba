/** What commands print, without what differs from run to run. */

/** Lines of a text; those of the log library and of a lost order are left out. */
export function comparableText(text: string, namespace: string, home: string): string[] {
  const known = text
    .replaceAll(namespace, 'NAMESPACE')
    .replaceAll(home, 'HOME')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    .replace(/(resourceVersion"?: ?"?)\d+/g, '$1<version>')
    .replace(/(Resource Version: +)\d+/g, '$1<version>')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000 UTC/g, '<time>')
    .replace(/resourceVersion:\d+/g, 'resourceVersion:<version>')
    .replace(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<date>')
    .replace(/\b10\.\d+\.\d+\.\d+ */g, '<address> ')
    .replace(/(nodePort"?: )3\d{4}/g, '$1<port>')
    .replace(/\b3\d{4}\/(TCP|UDP)/g, '<port>/$1')
    .replace(/(^|[ \t(])((\d+[dhms]){1,2})(?=[ \n)]|$)/gm, '$1<age>')
    .replace(/\bAGE +/g, 'AGE ')
    .replace(/<age> +/g, '<age> ')
    .replace(/0x[0-9a-f]+/g, '0x')
    .replace(/(LIVE|MERGED)-\w+/g, '$1')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000/g, '<time>')
    .replace(/^F\d{4} [\d:.]+ +\d+ \w+\.\w+:\d+\]/gm, 'F]')
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-<random>');
  // Addresses differ in width, and columns with them.
  const aligned = known.includes('<address>') ? known.replace(/ {2,}/g, '   ') : known;
  return aligned.split('\n').filter((line) => !/^[IWE]\d{4} /.test(line));
}
