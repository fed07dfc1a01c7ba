/** What the original answered to the cases of `cases/`, against what this server answers. */
import { systemClock } from '@coxswain/apimachinery';
import { describe, expect, test } from 'vitest';
import { recordedServer } from '../../packages/kube-apiserver/test/oracle/replay.ts';
import { areaNames, casesOf, playCases, recordedAnswers } from './cases/case.ts';

const areas = areaNames().flatMap((area) => {
  const answers = recordedAnswers(area);
  return answers === undefined ? [] : [{ area, answers }];
});
/** Managed fields are in order of their time, to the second: one time for all, however slow the machine is. */
const nowMs = Date.now();
const clock = { ...systemClock, now: () => nowMs };
describe('the cases of', () => {
  test.each(areas)(
    '$area are answered as the original answers them',
    async ({ area, answers }) => {
      const cases = await casesOf(area);
      expect(cases.length).toBeGreaterThan(0);
      // Of its own for each area: discovery lists the groups of all definitions.
      const server = await recordedServer({ clock });
      const transport = server.inProcess(undefined, { structured: false });
      const own = await playCases(cases, transport, 4).finally(() => void server.stop());
      for (const { name } of cases) expect(own[name], `${area}/${name}`).toEqual(answers[name]);
    },
    300_000,
  );
});
