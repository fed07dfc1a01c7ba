/** The local ends of forwarded ports. */
import net, { type AddressInfo, type Server, type Socket } from 'node:net';

export interface ListenAddress {
  readonly address: string;
  /** For `localhost`: it is enough if either of its addresses can be listened on. */
  readonly isOptional: boolean;
}

/** @throws Error for an invalid address */
export function listenAddresses(texts: readonly string[]): ListenAddress[] {
  const found = new Map<string, ListenAddress>();
  for (const text of texts) {
    if (text === 'localhost') {
      for (const address of ['127.0.0.1', '::1'])
        if (!found.has(address)) found.set(address, { address, isOptional: true });
    } else if (net.isIP(text) !== 0) found.set(text, { address: text, isOptional: false });
    else throw new Error(`${text} is not a valid IP`);
  }
  return [...found.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** Listens, and resolves with the actual port. @throws the listener's error */
export function listen(
  { address }: ListenAddress,
  port: number,
  onConnection: (socket: Socket, localPort: number) => void,
): Promise<{ readonly server: Server; readonly port: number }> {
  return new Promise((resolve, reject) => {
    const server = net.createServer({ allowHalfOpen: true }, (socket) =>
      onConnection(socket, (server.address() as AddressInfo).port),
    );
    server.once('error', reject);
    server.listen({ host: address, port }, () =>
      resolve({ server, port: (server.address() as AddressInfo).port }),
    );
  });
}

export const listenFailure = (failure: NodeJS.ErrnoException, address: string, port: number): string => {
  const host = net.isIPv6(address) ? `[${address}]` : address;
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'bind: address already in use',
    EACCES: 'bind: permission denied',
    EADDRNOTAVAIL: 'bind: cannot assign requested address',
  };
  const reason = reasons[failure.code ?? ''] ?? failure.message;
  return `unable to create listener: Error listen tcp${net.isIPv6(address) ? '6' : '4'} ${host}:${port}: ${reason}`;
};
