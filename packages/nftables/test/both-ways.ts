/**
 * Run in a network of its own (`unshare -n`): loads each transaction of the input by nft and then, into an empty packet
 * filter, directly. Prints what the kernel has after both, and which transactions went by nft nevertheless.
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
