import { useMutation } from '@tanstack/react-query'
import { ScanSearch } from 'lucide-react'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Page } from '../../shell/page.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Empty, Skeleton } from '../../ui/notice.tsx'
import { Report } from './report.tsx'
import './audit.css'

const CODES = { page_unavailable: 'url' }

const useAudit = () => {
  const client = useClient()
  return useMutation({
    mutationFn: (body: Shape<'AuditWish'>) => unwrap(client.POST('/api/workflow/digital-audit', { body })),
  })
}

const Outcome = ({ audit }: { audit: ReturnType<typeof useAudit> }) => {
  if (audit.isPending) return <Skeleton lines={8} />
  if (audit.data) return <Report report={audit.data} />
  return (
    <Empty icon={ScanSearch} title="No page looked at yet">
      <p>Enter the address of a page that anyone can open. It is fetched once, and nothing is kept.</p>
    </Empty>
  )
}

export const Audit = () => {
  const audit = useAudit()
  const submit = async (values: FormData): Promise<void> => {
    const [url, company] = ['url', 'company'].map((name) => String(values.get(name)).trim())
    await audit.mutateAsync({ url: url ?? '', ...(company && { company }) })
  }
  return (
    <div className="audit">
      <Page title="Audit" about="What a web page does well and badly, with the places where it does.">
        <Form label="Audit a page" codes={CODES} onSubmit={submit}>
          <div className="audit-form">
            <TextField
              name="url"
              label="Address"
              placeholder="https://example.com/"
              inputMode="url"
              autoCapitalize="none"
              autoComplete="url"
              spellCheck={false}
              maxLength={2000}
              required
            />
            <TextField name="company" label="Name for the report" maxLength={200} autoComplete="off" />
            <Submit>Audit</Submit>
          </div>
        </Form>
        <Outcome audit={audit} />
      </Page>
    </div>
  )
}
