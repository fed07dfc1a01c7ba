import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { endpoint, service } from '../../test/objects.ts';
import { planService, type EndpointSliceObject } from '../model/plan-services.ts';
import { userspaceWriter } from './userspace-writer.ts';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** Starts a pod's server on a free port and returns the port. */
function httpPod(name: string): Promise<number> {
  const server = createServer((_request, response) => response.end(name));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );
}

const sliceFor = (port: number, protocol = 'TCP') =>
  ({
    metadata: { name: `web-${port}`, namespace: 'default' },
    addressType: 'IPv4',
    ports: [{ name: 'http', port, protocol }],
    endpoints: [endpoint('127.0.0.1')],
  }) as unknown as EndpointSliceObject;

function newWriter() {
  const stopping = new AbortController();
  closing.push(() => stopping.abort());
  return userspaceWriter({ signal: stopping.signal });
}

/** An address that this machine does not have, so a free port is used instead. */
const spec = { clusterIP: '192.0.2.77' };
const textAt = async (address: string | undefined) =>
  (await fetch(`http://${address}/`, { headers: { connection: 'close' } })).text();

test('connections go to each endpoint in turn, and to new ones as soon as they are written', async () => {
  const [a, b] = [await httpPod('a'), await httpPod('b')];
  const writer = newWriter();
  const write = (...ports: number[]) =>
    writer.write(
      new Map([
        [
          'default/web',
          planService(
            service('web', spec),
            ports.map((port) => sliceFor(port)),
            { name: 'n' },
          ),
        ],
      ]),
    );
  await write(a, b);
  const address = writer.addressOf('default/web:http');
  const seen = [await textAt(address), await textAt(address)];
  expect(seen.sort()).toEqual(['a', 'b']);

  await write(b);
  expect(writer.addressOf('default/web:http')).toBe(address);
  expect([await textAt(address), await textAt(address)]).toEqual(['b', 'b']);

  await write();
  await expect(textAt(address)).rejects.toThrow();
});

test('clients stay with their endpoint where the service asks for it', async () => {
  const [a, b] = [await httpPod('a'), await httpPod('b')];
  const writer = newWriter();
  const sticky = service('web', { ...spec, sessionAffinity: 'ClientIP' });
  await writer.write(
    new Map([['default/web', planService(sticky, [sliceFor(a), sliceFor(b)], { name: 'n' })]]),
  );
  const address = writer.addressOf('default/web:http');
  const seen = new Set([await textAt(address), await textAt(address), await textAt(address)]);

  expect(seen.size).toBe(1);
});

test('datagrams go there and back', async () => {
  const pod = createSocket('udp4');
  closing.push(() => pod.close());
  pod.on('message', (message, from) => pod.send(`${String(message)}!`, from.port, from.address));
  await new Promise<void>((resolve) => pod.bind(0, '127.0.0.1', resolve));
  const writer = newWriter();
  const ports = [{ name: 'http', port: 53, protocol: 'UDP' }];
  const plan = planService(service('web', { ...spec, ports }), [sliceFor(pod.address().port, 'UDP')], {
    name: 'n',
  });
  await writer.write(new Map([['default/web', plan]]));
  const [host = '', port] = writer.addressOf('default/web:http')!.split(':');
  const client = createSocket('udp4');
  closing.push(() => client.close());
  const answer = new Promise<string>((resolve) => client.once('message', (text) => resolve(String(text))));
  client.send('hello', Number(port), host);

  expect(await answer).toBe('hello!');
});
