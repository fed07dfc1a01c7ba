/** `-v=6` and more: a line per request, from 7 on with headers, from 8 on with bodies. */
import type { Transport, TransportRequest } from '@coxswain/client';
import type { CommandContext } from '../context.ts';

/** Bodies are cut to this many characters below level 10. */
const bodyLengthMax = 10_240;

export const requestLog =
  (context: CommandContext, level: number) =>
  (transport: Transport): Transport => ({
    structured: transport.structured,
    address: transport.address,
    close: () => transport.close(),
    ...(transport.upgrade && { upgrade: (request: TransportRequest) => transport.upgrade!(request) }),
    async send(request) {
      const url = `${transport.address}${request.path}`;
      if (level >= 7) context.log('I', requestText(request, url, level));
      if (level >= 8 && request.body instanceof Uint8Array)
        context.log('I', `"Request Body" body=${quote(bodyText(request.body))}`);
      const startMs = context.clock.monotonic();
      const answer = await transport.send(request);
      const tookMs = Math.round(context.clock.monotonic() - startMs);
      const status = `${answer.status} ${statusTexts[answer.status] ?? ''}`.trim();
      context.log(
        'I',
        `"Response" ${level === 6 ? `verb="${request.method}" url="${url}" ` : ''}status="${status}"${level >= 7 ? ` headers=${quote(headersText(answer.headers))}` : ''} milliseconds=${tookMs}`,
      );
      return answer;
    },
  });

const quote = (text: string): string =>
  text.includes('\n')
    ? `<\n${text
        .split('\n')
        .map((line) => `\t${line}`)
        .join('\n')}\n >`
    : JSON.stringify(text);

const bodyText = (body: Uint8Array): string => new TextDecoder().decode(body).slice(0, bodyLengthMax);

function requestText({ method, headers }: TransportRequest, url: string, level: number): string {
  return `"Request" verb="${method}" url="${url}"${level >= 7 ? ` headers=${quote(headersText(headers))}` : ''}`;
}

function headersText(headers: TransportRequest['headers']): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !name.startsWith(':'))
    .map(([name, value]) => `${headerName(name)}: ${name === 'authorization' ? '<masked>' : String(value)}`);
  return `${lines.sort().join('\n')}\n`;
}

/** As Go writes them: `Content-Type`. */
const headerName = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

const statusTexts: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
