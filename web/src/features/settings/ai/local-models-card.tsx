import { useMutation } from '@tanstack/react-query'
import { Cpu } from 'lucide-react'
import * as t from '#locale/ai-settings'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { Options, SelectField } from '../../../ui/field.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useViewer } from '../use-settings-groups.ts'

type LocalServer = Shape<'LocalModelServer'>
type TestResult = Shape<'ModelTestResult'>

/** Selects a model and reports failures. */
const useSelectModel = () => {
  const client = useClient()
  const changed = useRefetch(['ai-keys'], ['ai-models'], ['activity'])
  const notify = useNotify()
  const attempt = useAttempt()
  return async (baseUrl: string, model: string): Promise<void> => {
    await attempt(async () => {
      const { providerModel } = await unwrap(client.PUT('/api/ai/local-models', { body: { baseUrl, model } }))
      notify(t.modelSelected(providerModel))
    })
    await changed()
  }
}

const ServerRow = ({ server }: { server: LocalServer }) => {
  const selectModel = useSelectModel()
  const name = t.localServers[server.server]
  const isFound = server.result === 'found'
  return (
    <li>
      <span className="row-icon">
        <Cpu size={18} aria-hidden="true" />
      </span>
      <div className="row-main">
        <p className="row-title">
          {name}
          <Tag tone={isFound ? 'good' : 'plain'}>{t.searchResults[server.result]}</Tag>
        </p>
        <p className="row-notes">
          <code>{server.baseUrl}</code>
          {isFound && server.models.length === 0 && <span>{t.noLocalModels}</span>}
        </p>
      </div>
      {server.models.length > 0 && (
        <form
          className="row-actions ai-local-model"
          onSubmit={(event) => {
            event.preventDefault()
            const model = new FormData(event.currentTarget).get('model')
            void selectModel(server.baseUrl, String(model))
          }}
        >
          <SelectField name="model" label={t.modelOf(name)}>
            <Options entries={server.models.map((model) => [model, model])} />
          </SelectField>
          <Button type="submit" size="small" aria-label={t.chooseModelOf(name)}>
            {t.chooseModel}
          </Button>
        </form>
      )}
    </li>
  )
}

const TestReport = ({ result }: { result: TestResult }) => (
  <ul className="ai-test">
    <li>{t.testAnswer({ model: result.providerModel, text: result.text })}</li>
    <li>{t.testTools[result.tools]}</li>
    <li>{result.json ? t.testJson : t.testNoJson}</li>
  </ul>
)

const Search = () => {
  const client = useClient()
  const search = useMutation({ mutationFn: () => unwrap(client.POST('/api/ai/local-models')) })
  const test = useMutation({ mutationFn: () => unwrap(client.POST('/api/ai/model-test', { body: {} })) })
  const failure = search.error ?? test.error
  return (
    <Card id="local-models" title={t.localModels} about={t.localModelsAbout}>
      <div className="form-actions">
        <Button busy={search.isPending} onClick={() => search.mutate()}>
          {t.findLocalModels}
        </Button>
        <Button busy={test.isPending} onClick={() => test.mutate()}>
          {t.testModel}
        </Button>
      </div>
      <div role="status">
        {failure && <p className="ai-test-failed">{describeError(failure)}</p>}
        {test.data && !test.isPending && <TestReport result={test.data} />}
      </div>
      {search.data && (
        <ul className="rows">
          {search.data.servers.map((server) => (
            <ServerRow key={server.server} server={server} />
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Only the owner may use the model servers of the machine. */
export const LocalModelsCard = () => (useViewer().isOwner ? <Search /> : null)
