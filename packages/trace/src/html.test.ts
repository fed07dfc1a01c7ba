import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { recordingPage } from './html.ts';
import { sample } from './recording.fixture.ts';

const parts = { script: 'start()', style: 'body{}' };

test("only the page's own script and style are allowed, and nothing is fetched", async () => {
  const page = await recordingPage(sample, parts);
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  expect(page).toContain(
    `content="default-src 'none'; script-src ${hash('start()')}; style-src ${hash('body{}')}; base-uri 'none'; form-action 'none'"`,
  );
  expect(page).not.toMatch(/https?:|src=|href=/);
});

test('nothing recorded can close the element that contains it', async () => {
  const [command] = sample.undertakings;
  const undertakings = [{ ...command!, name: '</script><img src=x><!--' }];
  const page = await recordingPage({ ...sample, undertakings }, parts);
  expect(page.match(/<\/script/g)).toHaveLength(2);
  expect(page).not.toContain('<img');
});
