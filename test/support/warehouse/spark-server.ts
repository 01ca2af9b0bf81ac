import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';

const HOME = process.env['SPARK_HOME'] ?? '';

/** Whether Spark is on this machine: `SPARK_HOME` names the folder of its programs. */
export const HAS_SPARK = existsSync(path.join(HOME, 'bin', 'spark-submit'));

export interface SparkCluster {
  readonly url: string;
  /** Kills the oldest worker, with the executor that it runs. */
  readonly killWorker: () => void;
  /** Starts a worker more. */
  readonly addWorker: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Returns the class path of Spark's programs. */
function classPath(): string {
  return path.join(HOME, 'jars', '*');
}

/** Starts a cluster of one master and two workers, with a Thrift server on it. */
export async function startSpark(): Promise<SparkCluster> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tieout-spark-'));
  const [port, http] = [await freePort(), await freePort()];
  const processes: ChildProcess[] = [];
  const env = { ...process.env, SPARK_HOME: HOME, SPARK_LOCAL_IP: '127.0.0.1', SPARK_LOCAL_DIRS: folder, SPARK_SCALA_VERSION: '2.13' };
  const started = async (args: readonly string[], sign: RegExp): Promise<ChildProcess> => {
    const child = spawn(args[0] ?? '', args.slice(1), { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    processes.push(child);
    let said = '';
    await new Promise<void>((resolve, reject) => {
      const hear = (data: Buffer): void => {
        said += data.toString();
        if (sign.test(said)) resolve();
      };
      child.stdout?.on('data', hear);
      child.stderr?.on('data', hear);
      child.on('exit', () => reject(new Error(`Spark ended: ${said.slice(-2_000)}`)));
    });
    return child;
  };
  const java = ['java', '-Xmx512m', '-cp', classPath(), ...JAVA_OPENS];
  const master = `spark://127.0.0.1:${port}`;
  await started(
    [...java, 'org.apache.spark.deploy.master.Master', '--host', '127.0.0.1', '--port', String(port), '--webui-port', '0'],
    /New state: ALIVE/,
  );
  const workers: ChildProcess[] = [];
  const addWorker = async (): Promise<void> => {
    const work = path.join(folder, `worker-${processes.length}`);
    const sizes = ['--host', '127.0.0.1', '--cores', '1', '--memory', '768m', '--webui-port', '0', '--work-dir', work];
    workers.push(
      await started([...java, 'org.apache.spark.deploy.worker.Worker', ...sizes, master], /Successfully registered with master/),
    );
  };
  await addWorker();
  await addWorker();
  const settings = [...CONFIGURATION, `spark.sql.warehouse.dir=${path.join(folder, 'tables')}`].flatMap((each) => ['--conf', each]);
  const served = [...SERVED, `hive.server2.thrift.http.port=${http}`].flatMap((each) => ['--hiveconf', each]);
  await started(
    [
      path.join(HOME, 'bin', 'spark-submit'),
      '--master',
      master,
      ...SIZES,
      ...settings,
      '--class',
      THRIFT_SERVER,
      'spark-internal',
      ...served,
    ],
    /HiveThriftServer2 started/,
  );
  const kill = (child: ChildProcess): void => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  return {
    url: `spark+http://tester@127.0.0.1:${http}`,
    killWorker: () => {
      const worker = workers.shift();
      worker?.removeAllListeners('exit');
      if (worker !== undefined) kill(worker);
    },
    addWorker,
    stop: async () => {
      for (const child of processes.toReversed()) {
        child.removeAllListeners('exit');
        const ended = new Promise((resolve) => child.once('exit', resolve));
        if (child.exitCode !== null || child.signalCode !== null) continue;
        kill(child);
        await ended;
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

const THRIFT_SERVER = 'org.apache.spark.sql.hive.thriftserver.HiveThriftServer2';
const SIZES = ['--driver-memory', '1g', '--executor-memory', '640m', '--executor-cores', '1'] as const;
const SERVED = [
  'hive.server2.thrift.bind.host=127.0.0.1',
  'hive.server2.transport.mode=http',
  'hive.server2.thrift.http.path=cliservice',
] as const;

const CONFIGURATION = [
  'spark.ui.enabled=false',
  'spark.driver.bindAddress=127.0.0.1',
  'spark.driver.host=127.0.0.1',
  // A few lines are not worth 200 parts.
  'spark.sql.shuffle.partitions=4',
  'spark.default.parallelism=4',
  'spark.sql.catalogImplementation=in-memory',
] as const;

/** What Java forbids by default and Spark needs. */
const JAVA_OPENS = [
  'java.lang',
  'java.lang.invoke',
  'java.lang.reflect',
  'java.io',
  'java.net',
  'java.nio',
  'java.util',
  'java.util.concurrent',
  'sun.nio.ch',
  'sun.nio.cs',
  'sun.security.action',
  'sun.util.calendar',
].map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`);
