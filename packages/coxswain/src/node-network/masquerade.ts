/** Masquerades traffic from pods to the outside as their node's; between pods, source addresses are kept. */
import { runNft } from '@coxswain/nftables';

const defaultTable = 'coxswain-pods';

/** Returns the rule set for one address family. Each write replaces the whole previous set in the same transaction. */
function masqueradeRules(ownRange: string, podRange: string, table = defaultTable): string {
  const family = familyOf(ownRange);
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

/** @throws Error with the output of nft */
export const writeMasquerade = (ownRange: string, podRange: string, table?: string): Promise<void> =>
  load(masqueradeRules(ownRange, podRange, table));

/** Called after the pods have been removed. */
export const removeMasquerade = (ownRange: string, table = defaultTable): Promise<void> =>
  load(`table ${familyOf(ownRange)} ${table} {}\ndelete table ${familyOf(ownRange)} ${table}\n`);

const familyOf = (range: string): string => (range.includes(':') ? 'ip6' : 'ip');

async function load(rules: string): Promise<void> {
  await runNft(['-f', '-'], rules);
}
