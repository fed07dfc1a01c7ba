/** Requests and responses between simulated containers. */

export interface HttpRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: readonly HttpHeader[];
  readonly body: Uint8Array;
}

export type HttpHeader = readonly [name: string, value: string];

export interface HttpAnswer {
  readonly status: number;
  readonly headers: readonly HttpHeader[];
  readonly body: Uint8Array;
}

/** Responds to one request. @throws ConnectionReset if the server aborts */
export type HttpServer = (request: HttpRequest) => Promise<HttpAnswer>;

/** `name: value` */
export function parseHeader(line: string): HttpHeader {
  const colon = line.indexOf(':');
  return colon < 0 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

/** The value of the first header with this name, given in lower case. */
export const headerOf = ({ headers }: Pick<HttpRequest, 'headers'>, name: string): string | undefined =>
  headers.find(([own]) => own.toLowerCase() === name)?.[1];

/** From the status line to the empty line. */
export function answerHead({ status, headers, body }: HttpAnswer, isLast: boolean): string {
  const own = headers.filter(([name]) => !framing.has(name.toLowerCase()));
  const lines = [
    `HTTP/1.1 ${status} ${statusTexts[status] ?? ''}`.trimEnd(),
    ...own.map(([name, value]) => `${name}: ${value}`),
    ...(hasBody(status) ? [`Content-Length: ${body.length}`] : []),
    `Connection: ${isLast ? 'close' : 'keep-alive'}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Headers that the connection sets itself. */
const framing = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive']);

export const hasBody = (status: number): boolean => status !== 204 && status !== 304;

/** The status codes of RFC 9110 that programs send. */
export const statusTexts: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  206: 'Partial Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
