import { useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { PasswordDialog } from '../../../ui/dialog.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useNotify } from '../../../ui/toast.tsx'

export const ExportCard = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [open, setOpen] = useState(false)
  const download = async (password: string) => {
    const call = client.POST('/api/settings/export', { body: { password }, parseAs: 'blob' })
    const zip = (await unwrap(call)) as unknown as Blob
    setOpen(false)
    saveFile(zip, `factotum-export-${new Date().toISOString().slice(0, 10)}.zip`)
    notify('Your export is downloaded.')
    await queries.invalidateQueries({ queryKey: ['activity'] })
  }
  return (
    <Card
      id="export"
      title="Export everything"
      about="One zip with all that is yours, in files that other programs can read. No password and no token is in it."
    >
      <Button onClick={() => setOpen(true)}>
        <Download size={16} aria-hidden="true" />
        Export
      </Button>
      <PasswordDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Export everything"
        about="The download begins when you confirm that it is you."
        action="Export"
        onConfirm={download}
      />
    </Card>
  )
}
