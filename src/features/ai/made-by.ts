import Type from 'typebox'

/** Every answer of the AI says what made it. */
export const madeBy = {
  engine: Type.Enum(['llm', 'builtin'], {
    type: 'string',
    examples: ['builtin'],
    description: '`builtin`: no model was asked',
  }),
  model: Type.Enum(['model_a', 'model_b', 'model_c', 'model_d'], {
    type: 'string',
    examples: ['model_a'],
    description: 'The one that is active',
  }),
  provider: Type.String({ examples: ['builtin'] }),
  usage: Type.Object(
    {
      inputTokens: Type.Integer({ minimum: 0, examples: [0] }),
      outputTokens: Type.Integer({ minimum: 0, examples: [0] }),
    },
    { title: 'Usage' },
  ),
}
const MadeBy = Type.Object(madeBy)
export type MadeBy = Type.Static<typeof MadeBy>

/** Which of the four is chosen. */
export type ActiveModel = () => Promise<MadeBy['model']>

export const builtIn = async (model: ActiveModel): Promise<MadeBy> => ({
  engine: 'builtin',
  model: await model(),
  provider: 'builtin',
  usage: { inputTokens: 0, outputTokens: 0 },
})
