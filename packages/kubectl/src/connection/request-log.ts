/** `-v=6` and higher: client-go's log lines for a request. */
import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';
import type { CommandContext } from '../context.ts';
import { hexDump } from './hex-dump.ts';
import { logValue } from './log-value.ts';
import { statusText } from './status-text.ts';

/** How much of a body is logged at each level; the rest is only counted. */
const bodyLengthMax = (level: number): number => (level >= 10 ? Infinity : level === 9 ? 10_240 : 1024);

export const requestLog =
  (context: CommandContext, level: number) =>
  (transport: Transport): Transport => ({
    structured: transport.structured,
    address: transport.address,
    close: () => transport.close(),
    ...(transport.upgrade && { upgrade: (request: TransportRequest) => transport.upgrade!(request) }),
    async send(request) {
      const url = `${transport.address}${request.path}`;
      if (level >= 8) context.log('I', bodyLine('Request', bodyBytes(request), level));
      const asked = requestLine(request, url, level);
      if (asked !== undefined) context.log('I', asked);
      const startMs = context.clock.monotonic();
      const answer = await transport.send(request);
      const milliseconds = Math.round(context.clock.monotonic() - startMs);
      context.log('I', responseLine({ request, url, answer, milliseconds }, level));
      return level >= 8 ? withLoggedBody(context, answer, level) : answer;
    },
  });

function requestLine(request: TransportRequest, url: string, level: number): string | undefined {
  if (level >= 9) return `"Request" curlCommand=${logValue(`${curlCommand(request, url)}\n`)}`;
  if (level < 7) return undefined;
  return `"Request" verb=${logValue(request.method)} url=${logValue(url)} headers=${logValue(headersText(request.headers))}`;
}

function curlCommand({ method, headers }: TransportRequest, url: string): string {
  const shown = headerLines(headers).map((line) => ` -H ${JSON.stringify(line)}`);
  return `curl -v -X${method} ${shown.join('')} '${url}'`;
}

interface Exchange {
  readonly request: TransportRequest;
  readonly url: string;
  readonly answer: TransportResponse;
  readonly milliseconds: number;
}

/** At level 7, verb and URL are omitted, since the preceding line has them. */
function responseLine({ request, url, answer, milliseconds }: Exchange, level: number): string {
  const where = level === 6 || level >= 9 ? ` verb=${logValue(request.method)} url=${logValue(url)}` : '';
  const headers = level >= 8 ? ` headers=${logValue(headersText(answer.headers))}` : '';
  const status = logValue(statusText(answer.status));
  return `"Response"${where} status=${status}${headers} milliseconds=${milliseconds}`;
}

/** Logs bodies that are read as a whole; a stream would have to end first. */
const withLoggedBody = (
  context: CommandContext,
  answer: TransportResponse,
  level: number,
): TransportResponse => ({
  ...answer,
  bytes: async () => {
    const bytes = await answer.bytes();
    context.log('I', bodyLine('Response', bytes, level));
    return bytes;
  },
});

function bodyLine(what: 'Request' | 'Response', bytes: Uint8Array, level: number): string {
  const text = bytes.some((byte) => byte < 0x0a) ? hexDump(bytes) : new TextDecoder().decode(bytes);
  const max = bodyLengthMax(level);
  const shown = text.length > max ? `${text.slice(0, max)} [truncated ${text.length - max} chars]` : text;
  return `"${what} Body" body=${logValue(shown)}`;
}

/** Encodes objects like client-go: with a trailing newline. */
function bodyBytes({ body }: TransportRequest): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return Buffer.concat([body, Buffer.from('\n')]);
  return Buffer.from(`${JSON.stringify('object' in body ? body.object : body)}\n`);
}

const headersText = (headers: TransportRequest['headers']): string =>
  headerLines(headers)
    .map((line) => `${line}\n`)
    .join('');

const headerLines = (headers: TransportRequest['headers']): string[] =>
  Object.entries(headers)
    .filter(([name]) => !name.startsWith(':'))
    .flatMap(([name, value]) =>
      [value].flat().map((one) => `${headerName(name)}: ${masked(name, String(one))}`),
    )
    .sort();

const masked = (name: string, value: string): string =>
  name === 'authorization' ? `${value.split(' ')[0]} <masked>` : value;

/** In Go's canonical form: `Content-Type`. */
const headerName = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
