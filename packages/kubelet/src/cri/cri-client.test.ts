import { expect, test } from 'vitest';
import { systemClock } from '@coxswain/apimachinery';
import { GrpcError, grpcCodes, grpcFailureText, isGrpcFailure } from '@coxswain/grpc/status.ts';
import { startFakeRuntime } from '../../test/fake-runtime.ts';
import { connectCri } from './cri-client.ts';

test('calls reach the runtime with all they carry, and its answers and failures come back', async () => {
  const runtime = await startFakeRuntime({
    version: () => ({ runtimeName: 'fake', runtimeVersion: '1' }),
    stopContainer: () => {
      throw new GrpcError(grpcCodes.notFound, 'no such container');
    },
  });
  const cri = connectCri({ endpoint: runtime.endpoint, clock: systemClock });
  try {
    expect(await cri.version({ version: 'v1' })).toMatchObject({ runtimeName: 'fake', runtimeVersion: '1' });
    const failure = await cri
      .stopContainer({ containerId: 'a', timeout: -1 })
      .catch((error: unknown) => error);
    expect(isGrpcFailure(failure, 'notFound')).toBe(true);
    expect(grpcFailureText(failure)).toBe('rpc error: code = NotFound desc = no such container');
    expect(runtime.requests('stopContainer')).toEqual([{ containerId: 'a', timeout: -1 }]);
    expect(isGrpcFailure(await cri.status({}).catch((error: unknown) => error), 'unimplemented')).toBe(true);
  } finally {
    cri.close();
    await runtime.close();
  }
});
