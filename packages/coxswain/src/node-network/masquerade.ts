/** Pods that speak to the world do so under the address of their node; to each other, under their own. */
import { runNft } from '@coxswain/nftables';

const defaultTable = 'coxswain-pods';

/** The rule set, for one family. Written whole: what stood before is replaced in the same transaction. */
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

/** @throws Error with what nft says */
export const writeMasquerade = (ownRange: string, podRange: string, table?: string): Promise<void> =>
  load(masqueradeRules(ownRange, podRange, table));

/** For who has ended the pods. */
export const removeMasquerade = (ownRange: string, table = defaultTable): Promise<void> =>
  load(`table ${familyOf(ownRange)} ${table} {}\ndelete table ${familyOf(ownRange)} ${table}\n`);

const familyOf = (range: string): string => (range.includes(':') ? 'ip6' : 'ip');

async function load(rules: string): Promise<void> {
  await runNft(['-f', '-'], rules);
}
