/** Random frames from a seed: `HTTP2_FUZZ_SEED=7` repeats a seed, `HTTP2_FUZZ_ROUNDS` sets the number of rounds. */
import { seededRandom, type Random } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { frameTypes } from './frames/frame.ts';
import { HpackDecoder } from './hpack/decoder.ts';
import type { ServerStream } from './server-stream.ts';
import { blockOf, connected, getFields, numbers } from './testing/connected.ts';

const seed = Number(process.env.HTTP2_FUZZ_SEED ?? 1);
const rounds = Number(process.env.HTTP2_FUZZ_ROUNDS ?? 300);

const dice = (random: Random) => ({
  below: (most: number): number => Math.floor(random.next() * most),
  pick: <T>(values: readonly T[]): T => values[Math.floor(random.next() * values.length)]!,
  noise: (most: number): Buffer =>
    Buffer.from(Array.from({ length: random.next() * most }, () => random.next() * 256)),
});

type Dice = ReturnType<typeof dice>;

const types = [...Object.values(frameTypes), 1, 1, 1, 0, 8, 3, 0x2f];

function payloadOf(type: number, { below, pick, noise }: Dice): Buffer {
  if (below(10) === 0) return noise(60);
  switch (type) {
    case frameTypes.headers: {
      const fields = {
        ...getFields,
        ':method': pick(['GET', 'POST', 'HEAD']),
        'content-length': pick(['0', '5', '30']),
      };
      return pick([blockOf(getFields), blockOf(fields), Buffer.concat([blockOf(getFields), noise(20)])]);
    }
    case frameTypes.data:
      return Buffer.alloc(below(40));
    case frameTypes.settings:
      return Buffer.concat([Buffer.of(0, below(7)), numbers(pick([0, 1, 100, 16_384, 70_000, 2 ** 31 - 1]))]);
    case frameTypes.windowUpdate:
    case frameTypes.resetStream:
      return numbers(pick([0, 1, 8, 5000, 2 ** 31 - 1]));
    case frameTypes.ping:
      return Buffer.alloc(8);
    default:
      return noise(10);
  }
}

/** Responds in one of the ways in which handlers do, or not at all. */
function answerSomehow(stream: ServerStream, { below, pick }: Dice): void {
  stream.listener = { onData: (bytes) => stream.giveBack(bytes.length), onEnd: () => undefined };
  pick([
    () => stream.respond(200, {}, { isLast: true }),
    () => undefined,
    () => stream.reset(2),
    () => {
      stream.respond(200, { 'content-type': 'a' });
      for (let pieces = below(5); pieces > 0; pieces--) stream.write(Buffer.alloc(below(40_000)));
      if (below(2) === 0) stream.end(pick([undefined, { 'grpc-status': '0' }]));
    },
  ])();
}

test('no frames, whatever they are, bring about a fault, and each stream is told once that it is over', async () => {
  for (let round = 0; round < rounds; round++) {
    const random = dice(seededRandom(seed + round));
    const { below, pick } = random;
    const ends = new Map<ServerStream, number>();
    const client = connected({
      onStream(stream) {
        ends.set(stream, 0);
        stream.onClose(() => ends.set(stream, ends.get(stream)! + 1));
        answerSomehow(stream, random);
      },
    });
    for (let sent = 0; sent < 40; sent++) {
      const type = pick(types);
      const onConnection = [frameTypes.settings, frameTypes.ping, frameTypes.goAway].includes(type as 4);
      const id = onConnection && below(20) > 0 ? 0 : below(30) === 0 ? below(60) : 2 * below(sent + 1) + 1;
      const bits = type === frameTypes.headers ? pick([4, 5, 5, 5, 0x24, 0xd, 1]) : pick([0, 0, 0, 1, 8]);
      client.send(type, bits, id, payloadOf(type, random));
      if (below(5) === 0) await client.settled();
    }
    await client.settled();
    client.connection.close();
    expect(client.faults, `seed ${seed + round}`).toEqual([]);
    expect(
      [...ends.values()].every((times) => times === 1),
      `seed ${seed + round}`,
    ).toBe(true);
  }
});

test('no header block, whatever it is, is anything but fields or refused', () => {
  const random = dice(seededRandom(seed));
  for (let round = 0; round < rounds * 10; round++) {
    const decoder = new HpackDecoder(2000);
    try {
      for (let block = 0; block < 5; block++) decoder.decode(random.noise(80));
    } catch (failure) {
      expect((failure as { code?: number }).code).toBeTypeOf('number');
    }
  }
});
