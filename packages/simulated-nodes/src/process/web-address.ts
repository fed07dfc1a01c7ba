/** The address that an HTTP client is given. */
export interface WebAddress {
  readonly isSecure: boolean;
  readonly host: string;
  readonly port: number;
  /** The host as written, with the port if one is given. */
  readonly authority: string;
  /** Includes the query. */
  readonly path: string;
}

/** `http://` may be omitted. */
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
