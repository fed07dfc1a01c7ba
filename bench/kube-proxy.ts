/**
 * How fast rules get into the kernel: `unshare -n node bench/kube-proxy.ts [SERVICES] [ENDPOINTS]`, as root, with
 * nft. Without `unshare -n` it would do so in the network of this machine, and refuses.
 */
import { networkInterfaces } from 'node:os';
import {
  planService,
  type EndpointSliceObject,
  type ServiceObject,
} from '@coxswain/kube-proxy/model/plan-services.ts';
import { ServiceIndex } from '@coxswain/kube-proxy/model/service-index.ts';
import { kernelWriter } from '@coxswain/kube-proxy/nftables/kernel-writer.ts';

const serviceCount = Number(process.argv[2] ?? 10_000);
const endpointCount = Number(process.argv[3] ?? 10);
const changeCount = 30;
/** The kernel cleans up after a transaction, and the next one would have to wait. */
const pauseMs = 200;
const node = { name: 'node-a' };

const serviceOf = (index: number): ServiceObject =>
  ({
    metadata: { name: `service-${index}`, namespace: `namespace-${index % 100}` },
    spec: {
      clusterIP: `10.${96 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`,
      ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
    },
  }) as unknown as ServiceObject;

const sliceOf = (index: number, from: number, count: number): EndpointSliceObject =>
  ({
    metadata: {
      name: `service-${index}-a`,
      namespace: `namespace-${index % 100}`,
      labels: { 'kubernetes.io/service-name': `service-${index}` },
    },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: Array.from({ length: count }, (_, place) => ({
      addresses: [
        `10.${128 + (index >> 12)}.${(index >> 4) & 255}.${(index & 15) * 16 + ((from + place) % 16)}`,
      ],
      nodeName: 'node-b',
    })),
  }) as unknown as EndpointSliceObject;

if (Object.keys(networkInterfaces()).length > 0)
  throw new Error('this is no network of its own: use unshare -n');
const writer = kernelWriter({ tables: [{ family: 'IPv4', masqueradeAll: false, masqueradeBit: 14 }] });
const index = new ServiceIndex();
for (let each = 0; each < serviceCount; each++) {
  index.setService(serviceOf(each));
  index.setSlice(sliceOf(each, 0, endpointCount));
}
const first = await timed(() => writer.write(index.takeChanges(node)));
console.log(`${serviceCount} services × ${endpointCount} endpoints, first sync: ${first.toFixed(0)} ms`);
console.log(`memory: ${Math.round(process.memoryUsage.rss() / 2 ** 20)} MiB`);
await measure('an endpoint replaced', (change) => sliceOf(7, change, endpointCount));
await measure('an endpoint more or less', (change) => sliceOf(9, 0, endpointCount - (change % 2)));
const again = await timed(async () =>
  writer.write(new Map([['x/x', planService(serviceOf(serviceCount), [], node)]])),
);
console.log(`a service more: ${again.toFixed(1)} ms`);

async function measure(what: string, slice: (change: number) => EndpointSliceObject): Promise<void> {
  const took: number[] = [];
  for (let change = 1; change <= changeCount; change++) {
    await pause(pauseMs);
    index.setSlice(slice(change));
    took.push(await timed(() => writer.write(index.takeChanges(node))));
  }
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(share * (took.length - 1))]!.toFixed(1);
  console.log(`${what}: median ${at(0.5)} ms, best ${at(0)} ms, 9 of 10 within ${at(0.9)} ms`);
}

async function timed(job: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await job();
  return performance.now() - startMs;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
