import { simulationHelp } from '@coxswain/simulated-nodes/behaviour/annotation-table.ts';
import { expect, test } from 'vitest';
import { testServer } from './test-server.ts';
import { up } from './up.ts';

test.each([up, testServer])('a command that runs simulated nodes shows what controls them', (command) => {
  expect(command.flags).toHaveProperty('nodes');
  expect(command.long).toContain(simulationHelp());
});
