/** The programs of images that Kubernetes' documentation and tests run, as functions. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import { imageName } from '../behaviour/image-ports.ts';
import type { ImageDefinition, ProgramContainer, RequestHandler } from './image-definition.ts';

const text = (body: string, status = 200): Response =>
  new Response(body, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });

const hostname: RequestHandler = (_request, { pod }) => text(pod.name);

/** The value of `--http-port=80` or `--http-port 80`. */
function portOf(args: readonly string[], flag: string, otherwise: number): number {
  const at = args.findIndex((arg) => arg.replace(/=.*/, '') === flag);
  const value = args[at]?.split('=')[1] ?? args[at + 1];
  return at < 0 ? otherwise : Number(value) || otherwise;
}

/** Healthy for ten seconds, to show what a liveness probe does. */
const liveness: RequestHandler = (_request, { state, clock }) => {
  const healthyMs = clock.now() - Number((state['startedMs'] ??= clock.now()));
  return healthyMs > 10_000 ? text(`error: ${healthyMs / 1000}s`, 500) : text('ok');
};

const netexec: RequestHandler = async (request, container) => {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/hostname' || pathname === '/hostName') return hostname(request, container);
  if (pathname === '/clientip') return text(container.client ?? '');
  if (pathname === '/echo') return text(searchParams.get('msg') ?? '');
  return text(pathname === '/healthz' ? 'ok' : `NOW: ${new Date(container.clock.now()).toISOString()}`);
};

const commands: Readonly<Record<string, (args: readonly string[]) => ImageDefinition>> = {
  liveness: () => ({ listen: { 8080: liveness } }),
  netexec: (args) => ({ listen: { [portOf(args, '--http-port', 8080)]: netexec } }),
  'serve-hostname': (args) => ({ listen: { [portOf(args, '--port', 9376)]: hostname } }),
};

const helloApp: RequestHandler = (_request, { pod, image }) =>
  text(`Hello, world!\nVersion: ${image.split(':')[1] ?? '1.0'}.0\nHostname: ${pod.name}\n`);

const echoServer: RequestHandler = (request, { pod, client = '' }: ProgramContainer) => {
  const headers = [...request.headers].map(([name, value]) => `\t${name}=${value}\n`);
  const { pathname } = new URL(request.url);
  const asked = `\tclient_address=${client}\n\tmethod=${request.method}\n\treal path=${pathname}\n`;
  return text(
    `\nHostname: ${pod.name}\n\nRequest Information:\n${asked}\nRequest Headers:\n${headers.join('')}`,
  );
};

const images: Readonly<Record<string, (args: readonly string[]) => ImageDefinition | undefined>> = {
  agnhost: ([command = '', ...args]) =>
    Object.hasOwn(commands, command) ? commands[command]!(args) : undefined,
  'serve-hostname': () => commands['serve-hostname']!([]),
  serve_hostname: () => commands['serve-hostname']!([]),
  'hello-app': () => ({ listen: { 8080: helloApp } }),
  echoserver: () => ({ listen: { 8080: echoServer } }),
};

/** What a container runs; undefined if its image is unknown, or if it has a command of its own. */
export function knownDefinition({
  image = '',
  command = [],
  args = [],
}: Container): ImageDefinition | undefined {
  const name = imageName(image, images);
  return name === undefined || command.length > 0 ? undefined : images[name]!(args);
}
