import Type from 'typebox'

export const ONE_LINE = '^[^\\u0000-\\u001f\\u007f]*$'

export const AccountName = (example: string) =>
  Type.String({ minLength: 1, maxLength: 100, pattern: ONE_LINE, examples: [example] })

export const Password = Type.String({ minLength: 1, maxLength: 1000, examples: ['correct horse battery'] })

/** The step of a connection test that failed. */
export const TestFailure = (title: string, examples: { problem: string; remedy: string }) =>
  Type.Object(
    {
      step: Type.Enum(['dns', 'connect', 'tls', 'greeting', 'login', 'select', 'command'], {
        type: 'string',
      }),
      problem: Type.String({ examples: [examples.problem] }),
      remedy: Type.String({ examples: [examples.remedy] }),
    },
    { title },
  )
