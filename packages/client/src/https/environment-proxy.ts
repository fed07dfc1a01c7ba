/** The proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` specify for a server, following Go's rules. */
import { BlockList, isIP } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined for a direct connection, as to everything on this machine. */
export function environmentProxy(server: URL, environment: Environment): string | undefined {
  const isSecure = server.protocol === 'https:';
  const proxy = isSecure ? read(environment, 'HTTPS_PROXY') : read(environment, 'HTTP_PROXY');
  // In a CGI program, this variable could be set by a client's header.
  if (proxy === '' || (!isSecure && environment['REQUEST_METHOD'])) return undefined;
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = server.port || (isSecure ? '443' : '80');
  if (host === 'localhost' || isIn(host, loopback)) return undefined;
  const exceptions = read(environment, 'NO_PROXY').split(',');
  if (exceptions.some((each) => isExcepted(each.trim().toLowerCase(), host, port))) return undefined;
  return /^[a-z][a-z\d+.-]*:\/\/./i.test(proxy) ? proxy : `http://${proxy}`;
}

const read = (environment: Environment, name: string): string =>
  environment[name] || environment[name.toLowerCase()] || '';

/**
 * @param exception `*`, `10.0.0.0/8`, `10.1.2.3`, `example.com` with its subdomains, `.example.com`; all but the first
 * two optionally with a port
 */
function isExcepted(exception: string, host: string, port: string): boolean {
  if (exception === '*') return true;
  const network = addresses(exception);
  if (network !== undefined) return isIn(host, network);
  const [, inBrackets, plain = '', wantedPort = port] = hostAndPort.exec(exception) ?? [];
  const name = inBrackets ?? plain;
  if (name === '' || wantedPort !== port) return false;
  const domain = name.replace(/^\*\./, '.');
  return host === domain || host.endsWith(domain.startsWith('.') ? domain : `.${domain}`);
}

const hostAndPort = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/;

/** A single address or a network. */
function addresses(text: string): BlockList | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return undefined;
  const length = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? length : /^\d+$/.test(bits) ? Number(bits) : Infinity;
  if (prefix > length) return undefined;
  const list = new BlockList();
  list.addSubnet(address, prefix, family(address));
  return list;
}

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

const isIn = (host: string, list: BlockList): boolean => isIP(host) !== 0 && list.check(host, family(host));

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
