/** Rewrites links in HTML that refer to a server's root for access through a proxy. */

/** The link attributes of each element. */
const linkAttributes: Readonly<Record<string, readonly string[] | undefined>> = {
  a: ['href'],
  applet: ['codebase'],
  area: ['href'],
  audio: ['src'],
  base: ['href'],
  blockquote: ['cite'],
  body: ['background'],
  button: ['formaction'],
  command: ['icon'],
  del: ['cite'],
  embed: ['src'],
  form: ['action'],
  frame: ['longdesc', 'src'],
  head: ['profile'],
  html: ['manifest'],
  iframe: ['longdesc', 'src'],
  img: ['longdesc', 'src', 'usemap'],
  input: ['src', 'usemap', 'formaction'],
  ins: ['cite'],
  link: ['href'],
  object: ['classid', 'codebase', 'data', 'usemap'],
  q: ['cite'],
  script: ['src'],
  source: ['src'],
  video: ['poster', 'src'],
};

/** Elements whose content is raw text. */
const textElements = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'noframes',
  'iframe',
  'noembed',
]);

const startTag = /^<([a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/i;
const attribute = /([^\s"'>/=]+)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/g;
/** A longer tag is passed on unchanged. */
const tagCharactersMax = 64 * 1024;

/** Rewrites a page in pieces; an incomplete construct waits for the next piece. */
export class LinkRewriter {
  readonly #prefix: string;
  readonly #hosts: readonly string[];
  #waiting = '';
  /** The raw text element that is open: `script`. */
  #textOf: string | undefined;

  /** @param hosts the hosts, with ports, by which links may name the server itself */
  constructor(prefix: string, hosts: readonly string[]) {
    this.#prefix = prefix.replace(/\/$/, '');
    this.#hosts = hosts;
  }

  /** @returns the part of the page that is ready */
  push(text: string): string {
    let rest = this.#waiting + text;
    let ready = '';
    while (rest !== '') {
      const length = this.#lengthOfNext(rest);
      if (length === undefined) break;
      ready += this.#rewritten(rest.slice(0, length));
      rest = rest.slice(length);
    }
    this.#waiting = rest;
    return ready;
  }

  /** @returns the incomplete rest */
  end(): string {
    const rest = this.#waiting;
    this.#waiting = '';
    return rest;
  }

  /** The length of the next text, comment or tag; undefined while its end has not arrived. */
  #lengthOfNext(rest: string): number | undefined {
    if (this.#textOf !== undefined) return this.#lengthOfText(rest, this.#textOf);
    const start = rest.indexOf('<');
    if (start < 0) return rest.length;
    if (start > 0) return start;
    if (rest.length > tagCharactersMax) return 1;
    if (rest.startsWith('<!--')) return endOf(rest, '-->');
    if (/^<[!/?]/.test(rest)) return endOf(rest, '>');
    if (/^<[a-z]/i.test(rest)) return startTag.exec(rest)?.[0].length;
    return rest.length === 1 ? undefined : 1;
  }

  #lengthOfText(rest: string, element: string): number | undefined {
    const end = rest.toLowerCase().indexOf(`</${element}`);
    if (end > 0) return end;
    if (end === 0) {
      this.#textOf = undefined;
      return this.#lengthOfNext(rest);
    }
    // The end tag may begin here.
    const safe = rest.length - element.length - 2;
    return safe > 0 ? safe : undefined;
  }

  #rewritten(piece: string): string {
    if (this.#textOf !== undefined) return piece;
    const tag = startTag.exec(piece);
    if (tag === null) return piece;
    const name = tag[1]!.toLowerCase();
    if (textElements.has(name)) this.#textOf = name;
    const links = linkAttributes[name];
    if (links === undefined) return piece;
    const attributes = tag[2]!.replaceAll(attribute, (whole, key: string, sign: string, value: string) =>
      links.includes(key.toLowerCase()) ? `${key}${sign}${this.#link(value)}` : whole,
    );
    return `<${tag[1]}${attributes}>`;
  }

  /** @param written the value including its quotes */
  #link(written: string): string {
    const quote = /^["']/.exec(written)?.[0] ?? '';
    const link = quote === '' ? written : written.slice(1, -1);
    const [, scheme = '', host, path = ''] =
      /^([a-z][a-z\d+.-]*:)?(?:\/\/([^/?#]*))?(.*)$/is.exec(link) ?? [];
    if (!path.startsWith('/') || path.startsWith(`${this.#prefix}/`)) return written;
    if (host === undefined ? scheme !== '' : !this.#hosts.includes(host)) return written;
    return `${quote}${this.#prefix}${path}${quote}`;
  }
}

function endOf(text: string, sign: string): number | undefined {
  const at = text.indexOf(sign);
  return at < 0 ? undefined : at + sign.length;
}
