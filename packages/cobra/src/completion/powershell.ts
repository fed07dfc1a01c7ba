export const powershellScript = (program: string): string => `# powershell completion for ${program}

Register-ArgumentCompleter -Native -CommandName '${program}' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    $asked = @($words | Select-Object -Skip 1)
    if ($wordToComplete -eq '') { $asked += '""' }

    $directive = 0
    $candidates = @()
    foreach ($line in (& $words[0] __complete @asked 2>$null)) {
        if ($line -match '^:(\\d+)$') { $directive = [int]$Matches[1] }
        elseif ($line -ne '') { $candidates += $line }
    }
    if ($directive -band 1) { return }

    $space = if ($directive -band 2) { '' } else { ' ' }
    foreach ($candidate in $candidates) {
        $name, $about = $candidate -split "\`t", 2
        if (-not $about) { $about = $name }
        if ($name -like "$wordToComplete*") {
            [System.Management.Automation.CompletionResult]::new("$name$space", $name, 'ParameterValue', $about)
        }
    }
}
`;
