import { ManualClock } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { expect, test } from 'vitest';
import { assembleKubeApiServer } from '../assemble.ts';

test('a configured version is reported by /version and by metrics', async () => {
  const clock = new ManualClock();
  const observability = { gitVersion: 'v1.36.3-vendor' };
  const server = await assembleKubeApiServer({ storage: new MemoryStorage({ clock }), clock, observability });
  await server.start();
  try {
    const transport = server.inProcess({ name: 'admin', groups: ['system:masters'] }, { structured: false });
    const textOf = async (path: string): Promise<string> => {
      const answer = await transport.send({ method: 'GET', path, headers: {} });
      return Buffer.from(await answer.bytes()).toString();
    };
    expect(JSON.parse(await textOf('/version'))).toMatchObject({ minor: '36', gitVersion: 'v1.36.3-vendor' });
    const metrics = await textOf('/metrics');
    expect(metrics).toMatch(/^kubernetes_build_info\{.*git_version="v1\.36\.3-vendor"/m);
    expect(metrics).toMatch(/^version_info\{binary="1\.36\.3-vendor"/m);
  } finally {
    await server.stop();
  }
});
