import { runCommand } from './run-command.ts';

/** Runs `nft` with arguments and an input: its output. @throws Error with what it complained of */
export type RunNft = (args: readonly string[], input: string) => Promise<string>;

/** What is put before the arguments: `['ip', 'netns', 'exec', 'a', 'nft']` for the packet filter of another network. */
export const nftBy =
  ([program = 'nft', ...first]: readonly string[]): RunNft =>
  (args, input) =>
    runCommand(program, [...first, ...args], input);

export const runNft: RunNft = nftBy(['nft']);

/** Why packets can't be filtered here; undefined when they can. */
export const whyNoNftables = (run: RunNft = runNft): Promise<string | undefined> =>
  run(['list', 'tables'], '').then(
    () => undefined,
    (error: Error) => error.message,
  );
