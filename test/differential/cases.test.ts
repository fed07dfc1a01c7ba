/** What the original answered to the cases of `cases/`, against what this server answers. */
import { systemClock } from '@coxswain/apimachinery';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordedServer } from '../../packages/kube-apiserver/test/oracle/replay.ts';
import { areaNames, casesOf, playCases, recordedAnswers } from './cases/case.ts';

const areas = areaNames().flatMap((area) => {
  const answers = recordedAnswers(area);
  return answers === undefined ? [] : [{ area, answers }];
});
/** Managed fields are in order of their time, to the second: one time for all, however slow the machine is. */
const nowMs = Date.now();
const clock = { ...systemClock, now: () => nowMs };
let server: Awaited<ReturnType<typeof recordedServer>>;
beforeAll(async () => {
  server = await recordedServer({ clock });
});
afterAll(() => server.stop());

describe('the cases of', () => {
  test.each(areas)(
    '$area are answered as the original answers them',
    async ({ area, answers }) => {
      const cases = await casesOf(area);
      expect(cases.length).toBeGreaterThan(0);
      const own = await playCases(cases, server.inProcess(undefined, { structured: false }), 4);
      for (const { name } of cases) expect(own[name], `${area}/${name}`).toEqual(answers[name]);
    },
    300_000,
  );
});
