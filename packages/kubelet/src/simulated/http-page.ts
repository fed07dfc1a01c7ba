/** What listens on a declared port of a simulated container: an HTTP server of one page, that says what it is. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ExecStreams } from '../connection.ts';

const headBytesMax = 64 * 1024;

/** Answers requests of one connection until its end. */
export async function servePage(
  pod: Pod,
  container: string,
  port: number,
  streams: ExecStreams,
): Promise<void> {
  const decoder = new TextDecoder('latin1');
  let seen = '';
  let bodyBytesLeft = 0;
  for await (const chunk of streams.stdin ?? []) {
    const skipped = Math.min(bodyBytesLeft, chunk.length);
    bodyBytesLeft -= skipped;
    seen += decoder.decode(chunk.subarray(skipped));
    for (let end = seen.indexOf('\r\n\r\n'); end >= 0; end = seen.indexOf('\r\n\r\n')) {
      const head = seen.slice(0, end);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      const body = seen.slice(end + 4);
      seen = body.slice(length);
      bodyBytesLeft = Math.max(0, length - body.length);
      const isLast = /\r\nconnection: *close/i.test(head) || /^\S+ \S+ HTTP\/1\.0/.test(head);
      await streams.stdout?.(answer(head, page(pod, container, port, head), isLast));
      if (isLast) return;
    }
    if (seen.length > headBytesMax) return;
  }
}

function answer(head: string, text: string, isLast: boolean): Uint8Array {
  const body = new TextEncoder().encode(text);
  const start = [
    'HTTP/1.1 200 OK',
    'Content-Type: text/html; charset=utf-8',
    `Content-Length: ${body.length}`,
    `Connection: ${isLast ? 'close' : 'keep-alive'}`,
    '',
    '',
  ].join('\r\n');
  const sent = new TextEncoder().encode(start);
  const bytes = new Uint8Array(sent.length + body.length);
  bytes.set(sent);
  bytes.set(body, sent.length);
  return head.startsWith('HEAD ') ? sent : bytes;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function page({ metadata, spec }: Pod, container: string, port: number, head: string): string {
  const name = `${metadata?.namespace}/${metadata?.name}`;
  const image = spec?.containers?.find((one) => one.name === container)?.image ?? '';
  const request = head.split('\r\n')[0]!.replace(/ HTTP\/.*$/, '');
  return `<!doctype html>
<title>${escaped(name)}</title>
<h1>A simulated container</h1>
<p>This is container ${escaped(container)} (${escaped(image)}) of pod ${escaped(name)} on node ${escaped(
    spec?.nodeName ?? '',
  )}, port ${port}. Nothing runs here: the node simulates its containers.</p>
<p>The request was <code>${escaped(request)}</code>.</p>
`;
}
