/** Serves the files of containers whose images are web servers, as these do with their default configuration. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { HttpServer } from '../network/http-message.ts';
import { resolvePath, type ContainerFiles } from '../process/container-files.ts';
import { imageName } from '../behaviour/image-ports.ts';

interface WebServer {
  readonly root: string;
  /** Mounts here change what it serves. */
  readonly configuration: string;
}

const nginx: WebServer = { root: '/usr/share/nginx/html', configuration: '/etc/nginx' };

const webServers: Readonly<Record<string, WebServer>> = {
  nginx,
  'nginx-slim': nginx,
  httpd: { root: '/usr/local/apache2/htdocs', configuration: '/usr/local/apache2/conf' },
};

/** The port of all of these images. */
export const webPort = 80;

/**
 * The directory whose files a container serves on a port; undefined if that is unknown, because of its image, its command or its
 * own configuration.
 */
export function documentRoot(
  { image = '', command, args, volumeMounts = [] }: Container,
  port: number,
): string | undefined {
  const server = webServerOf(image);
  if (server === undefined || port !== webPort || command !== undefined || args !== undefined)
    return undefined;
  const configures = ({ mountPath }: { readonly mountPath: string }) =>
    `${mountPath}/`.startsWith(`${server.configuration}/`);
  return volumeMounts.some(configures) ? undefined : server.root;
}

const webServerOf = (image: string): WebServer | undefined => webServers[imageName(image, webServers) ?? ''];

/** Directories that the image has. */
export const imageDirectories = (image: string): readonly string[] => {
  const server = webServerOf(image);
  return server === undefined ? [] : [server.root, server.configuration];
};

/** @param page responds for a directory without an index.html at the root, which is an empty container's */
export const documentServer =
  (filesOf: () => Promise<ContainerFiles>, root: string, page: HttpServer): HttpServer =>
  async (request) => {
    const files = await filesOf();
    const path = resolvePath('/', decodedPath(request.path));
    const asked = path === '/' ? root : `${root}${path}`;
    const file = files.isDirectory(asked) ? `${asked}/index.html` : asked;
    const entry = files.entry(file);
    if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'Method Not Allowed');
    if (entry?.kind !== 'file') return path === '/' ? page(request) : plain(404, 'Not Found');
    return { status: 200, headers: [['Content-Type', typeOf(file)]], body: entry.bytes };
  };

const plain = (status: number, text: string) => ({
  status,
  headers: [['Content-Type', 'text/plain; charset=utf-8']] as const,
  body: new TextEncoder().encode(`${status} ${text}\n`),
});

function decodedPath(path: string): string {
  const [plainPath = ''] = path.split('?');
  try {
    return decodeURIComponent(plainPath);
  } catch {
    return plainPath;
  }
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'application/javascript',
  json: 'application/json',
  txt: 'text/plain',
};

const typeOf = (file: string): string =>
  types[/\.([^./]+)$/.exec(file)?.[1] ?? ''] ?? 'application/octet-stream';
