/* Tasks for the tests of the worker pool. */

export const double = (value: number): number => value * 2

export const sum = (bytes: Uint8Array): number => bytes.reduce((total, byte) => total + byte, 0)

export const fill = (length: number): { bytes: Uint8Array } => ({ bytes: new Uint8Array(length).fill(7) })

export const loopForever = (): never => {
  for (;;);
}

export const neverAnswer = (): Promise<never> => new Promise(() => setInterval(() => {}, 1_000))

export const allocateObjects = (): never => {
  const kept: unknown[] = []
  for (;;) kept.push({ at: kept.length, text: `${kept.length}` })
}

export const allocateText = (): never => {
  const kept: string[] = []
  // The change of case copies the text into the heap.
  for (;;) kept.push('text'.repeat(10_000).toUpperCase())
}

export const allocateBuffers = async (): Promise<never> => {
  const kept: Buffer[] = []
  for (;;) {
    kept.push(Buffer.alloc(4 * 1024 * 1024, 1))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

export const throwError = (message: string): never => {
  throw new RangeError(message)
}

export const throwUncloneable = (): never => {
  throw Object.assign(new Error('with a function'), { callback: () => {} })
}

export const exitProcess = (): never => process.exit(3)

export const throwLater = (): Promise<never> => {
  setTimeout(() => {
    throw new Error('nobody waits for this')
  }, 5)
  return new Promise(() => {})
}

export const secretsOf = (): string[] => Object.keys(process.env)

export const returnFunction = (): unknown => () => {}
