/** Where a client of the web is sent. */
export interface WebAddress {
  readonly isSecure: boolean;
  readonly host: string;
  readonly port: number;
  /** As it is written: with the port where one is given. */
  readonly authority: string;
  /** With its query. */
  readonly path: string;
}

/** `http://` may be left out. */
export function parseWebAddress(text: string): WebAddress {
  const [, scheme = 'http', authority = '', path = ''] = /^(?:(\w+):\/\/)?([^/?#]*)([^#]*)/.exec(text)!;
  const [, host = '', port] = /^\[?(.*?)\]?(?::(\d{1,5}))?$/.exec(authority.replace(/^.*@/, ''))!;
  const isSecure = scheme.toLowerCase() === 'https';
  return {
    isSecure,
    host,
    port: port === undefined ? (isSecure ? 443 : 80) : Number(port),
    authority,
    path: path.startsWith('/') ? path : `/${path}`,
  };
}
