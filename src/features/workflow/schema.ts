import Type from 'typebox'
import { NextCursor, Nullable } from '../../platform/http/shapes.ts'

export const ModelInfo = Type.Object(
  {
    model: Type.String({ examples: ['model_a'] }),
    provider: Nullable(Type.String({ examples: ['anthropic'] })),
    providerModel: Nullable(
      Type.String({ description: "The provider's name for it", examples: ['claude-sonnet-4-5'] }),
    ),
    ready: Type.Boolean({ examples: [true], description: 'Whether its provider can be asked' }),
    engine: Type.Enum(['llm', 'builtin'], { type: 'string', examples: ['llm'], description: 'What answers' }),
    allowed: Type.Array(Type.String(), { examples: [['model_a', 'model_b', 'model_c', 'model_d']] }),
  },
  { title: 'ModelInfo' },
)

const anything = { additionalProperties: true }

export const N8nWorkflow = Type.Object(
  {
    name: Type.String({ examples: ['Factotum: Daily briefing'] }),
    nodes: Type.Array(
      Type.Object(
        {
          id: Type.String({ examples: ['factotum-daily-briefing-1'] }),
          name: Type.String({ examples: ['Every morning'] }),
          type: Type.String({ examples: ['n8n-nodes-base.scheduleTrigger'] }),
          typeVersion: Type.Number({ examples: [1.2] }),
          position: Type.Array(Type.Number(), { examples: [[0, 300]] }),
          parameters: Type.Object({}, anything),
        },
        { ...anything, title: 'N8nNode' },
      ),
    ),
    connections: Type.Object({}, anything),
    settings: Type.Object({}, anything),
    active: Type.Boolean({ examples: [false] }),
  },
  { title: 'N8nWorkflow' },
)

const TemplateId = Type.String({ minLength: 1, maxLength: 60, examples: ['daily-briefing'] })
export const TemplatePath = Type.Object({ id: TemplateId }, { additionalProperties: false })

export const TemplateList = Type.Object(
  {
    templates: Type.Array(
      Type.Object(
        {
          id: TemplateId,
          name: Type.String({ examples: ['Daily briefing'] }),
          description: Type.String({ examples: ['Fetches the briefing each morning at 7.'] }),
          tool: Type.Enum(['n8n'], { type: 'string', examples: ['n8n'] }),
          scopes: Type.Array(Type.String(), {
            examples: [['mail:read']],
            description: 'What its personal access token needs',
          }),
          workflow: N8nWorkflow,
        },
        { title: 'WorkflowTemplate' },
      ),
    ),
    nextCursor: NextCursor,
  },
  { title: 'WorkflowTemplateList' },
)
