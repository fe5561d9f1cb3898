import type { Task } from '../../src/platform/workers/task.ts'
import {
  type RunOptions,
  WorkerPool,
  type WorkerPoolOptions,
} from '../../src/platform/workers/worker-pool.ts'

type Intercept = (options: RunOptions) => RunOptions | Promise<RunOptions>

/** A pool that runs each task with the options that `intercept` returns. */
export class InterceptedPool extends WorkerPool {
  private readonly intercept: Intercept

  constructor(intercept: Intercept, options: WorkerPoolOptions = {}) {
    super(options)
    this.intercept = intercept
  }

  override async run<Input, Output>(
    task: Task<Input, Output>,
    input: Input,
    options: RunOptions,
  ): Promise<Output> {
    return super.run(task, input, await this.intercept(options))
  }
}
