/** Pods that speak to the world do so under the address of their node; to each other, under their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const table = 'coxswain-pods';

/** The rule set, for one family. Written whole: what stood before is replaced in the same transaction. */
export function masqueradeRules(ownRange: string, podRange: string): string {
  const family = ownRange.includes(':') ? 'ip6' : 'ip';
  return `table ${family} ${table} {}
delete table ${family} ${table}
table ${family} ${table} {
  comment "pods of this node, on their way out of the cluster"
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ${family} saddr ${ownRange} ${family} daddr != ${podRange} masquerade
  }
}
`;
}

/** @throws Error with what nft says */
export async function writeMasquerade(ownRange: string, podRange: string): Promise<void> {
  const nft = spawn('nft', ['-f', '-'], { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  nft.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  nft.stdin.on('error', () => undefined);
  nft.stdin.end(masqueradeRules(ownRange, podRange));
  const [code] = (await once(nft, 'close')) as [number | null];
  if (code !== 0) throw new Error(`nft: ${said.trim()}`);
}
