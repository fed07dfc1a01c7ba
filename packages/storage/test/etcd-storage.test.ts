import { afterAll, beforeAll, describe } from 'vitest';
import { EtcdStorage } from '../src/etcd/etcd-storage.ts';
import { storageSuite } from '../suite/storage-suite.ts';
import { etcdBinary, startRealEtcd, type RealEtcd } from './real-etcd.ts';

/** Without an etcd on this machine only our own is tested, in packages/etcd. */
describe.runIf(etcdBinary)('with a real etcd', () => {
  let etcd: RealEtcd;
  beforeAll(async () => {
    etcd = await startRealEtcd(etcdBinary!);
  });
  afterAll(() => etcd.stop());

  storageSuite('the etcd back end', async () => ({
    // Nobody listens at the first endpoint.
    storage: new EtcdStorage({ endpoints: ['http://127.0.0.1:1', etcd.endpoint] }),
    advance: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  }));
});
