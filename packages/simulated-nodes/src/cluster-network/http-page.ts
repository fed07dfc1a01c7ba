/**
 * The server on every port of a simulated container whose image is not defined by the user: one page that describes the
 * container.
 */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { HttpServer } from '../network/http-message.ts';

export const pageServer =
  (pod: Pod, container: string, port: number): HttpServer =>
  async ({ method, path }) => ({
    status: 200,
    headers: [['Content-Type', 'text/html; charset=utf-8']],
    body: new TextEncoder().encode(page(pod, container, port, `${method} ${path}`)),
  });

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function page({ metadata, spec }: Pod, container: string, port: number, request: string): string {
  const name = `${metadata?.namespace}/${metadata?.name}`;
  const image = spec?.containers?.find((one) => one.name === container)?.image ?? '';
  return `<!doctype html>
<title>${escaped(name)}</title>
<h1>A simulated container</h1>
<p>This is container ${escaped(container)} (${escaped(image)}) of pod ${escaped(name)} on node ${escaped(
    spec?.nodeName ?? '',
  )}, port ${port}. Nothing runs here: the node simulates its containers.</p>
<p>The request was <code>${escaped(request)}</code>.</p>
`;
}
