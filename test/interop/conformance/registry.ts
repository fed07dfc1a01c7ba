/**
 * A registry of container images that are pulled and never pushed: the part of the OCI's distribution specification that
 * runtimes need. `node registry.ts DIRECTORY PORT` serves a `RegistryDirectory` on 127.0.0.1, over HTTP.
 */
import { createReadStream, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { manifestType, RegistryDirectory } from './registry-directory.ts';

const [directory = '', port = ''] = process.argv.slice(2);
const images = new RegistryDirectory(directory);

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://registry');
  if (pathname === '/v2/') return response.end('{}');
  const [, name = '', kind, reference = ''] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(pathname) ?? [];
  const digest = kind === undefined ? undefined : images.resolve(name, reference);
  if (digest === undefined) return notFound(response);
  send(response, digest, kind === 'manifests' ? manifestType : 'application/octet-stream', request.method);
}).listen(Number(port), '127.0.0.1', () => console.log('The registry listens'));

function send(response: ServerResponse, digest: string, type: string, method: string | undefined): void {
  const file = images.blobFile(digest);
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return notFound(response);
  response.writeHead(200, {
    'content-type': type,
    'content-length': size,
    'docker-content-digest': digest,
  });
  if (method === 'HEAD') response.end();
  else createReadStream(file).pipe(response);
}

function notFound(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ errors: [{ code: 'NAME_UNKNOWN', message: 'there is no such image' }] }));
}
