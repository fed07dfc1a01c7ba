/**
 * Run in a separate network namespace (`unshare -n`): loads each transaction of the input through nft and then, into an
 * empty packet filter, directly. Prints the resulting rules of both, and which transactions went through nft after all.
 */
import { readFileSync } from 'node:fs';
import { directNft, runNft, type RunNft } from '@coxswain/nftables';

const { before, transactions } = JSON.parse(readFileSync(0, 'utf8')) as {
  readonly before: string;
  readonly transactions: readonly string[];
};
const byNft: string[] = [];
const direct = directNft((args, input) => {
  byNft.push(input);
  return runNft(args, input);
});

console.log(JSON.stringify({ nft: await stateAfter(runNft), direct: await stateAfter(direct), byNft }));

async function stateAfter(run: RunNft): Promise<string> {
  await runNft(['-f', '-'], `flush ruleset\n${before}`);
  for (const transaction of transactions) await run(['-f', '-'], transaction);
  return runNft(['list', 'ruleset'], '');
}
