# Installs dibber for the current user, from a release and after its checksum.
#
#   DIBBER_INSTALL_DIR   where to: .local\bin in the home directory
#   DIBBER_VERSION       which version: the one of the release that this file is from
#   DIBBER_DOWNLOAD_URL  where that version's files are: the page of its release
#
# It changes nothing else: no profile, no PATH, no system directory.

& {
    $ErrorActionPreference = 'Stop'
    # The progress bar makes downloads many times slower in PowerShell 5.
    $ProgressPreference = 'SilentlyContinue'
    [Net.ServicePointManager]::SecurityProtocol = `
        [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

    $version = if ($env:DIBBER_VERSION) { $env:DIBBER_VERSION } else { '@VERSION@' }
    $url = if ($env:DIBBER_DOWNLOAD_URL) { $env:DIBBER_DOWNLOAD_URL } `
        else { "@REPOSITORY@/releases/download/v$version" }
    if (-not $url.StartsWith('https://')) {
        throw "$url is not an https address; use the install.ps1 of a release"
    }
    $directory = if ($env:DIBBER_INSTALL_DIR) { $env:DIBBER_INSTALL_DIR } `
        else { Join-Path $HOME '.local\bin' }
    if (-not [Environment]::Is64BitOperatingSystem) {
        throw 'there is no binary for 32-bit Windows; build it from source with cargo'
    }

    $name = 'dibber-x86_64-pc-windows-msvc'
    $work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
    New-Item -ItemType Directory -Path $work | Out-Null
    try {
        $archive = Join-Path $work "$name.zip"
        $sums = Join-Path $work 'SHA256SUMS'
        Invoke-WebRequest -UseBasicParsing -Uri "$url/$name.zip" -OutFile $archive
        Invoke-WebRequest -UseBasicParsing -Uri "$url/SHA256SUMS" -OutFile $sums
        $line = @(Get-Content $sums | Where-Object { ($_ -split '\s+')[1] -eq "$name.zip" })
        if ($line.Count -ne 1) {
            throw "the checksums of the release do not list $name.zip"
        }
        $expected = ($line[0] -split '\s+')[0]
        $actual = (Get-FileHash -Algorithm SHA256 -Path $archive).Hash
        if ($actual -ne $expected) {
            throw "the checksum of $name.zip is wrong: expected $expected, got $actual; nothing was installed"
        }
        Expand-Archive -Path $archive -DestinationPath $work
        New-Item -ItemType Directory -Force -Path $directory | Out-Null
        Copy-Item -Force -Path (Join-Path $work "$name\dibber.exe") -Destination $directory
    }
    finally {
        Remove-Item -Recurse -Force -Path $work
    }

    $installed = & (Join-Path $directory 'dibber.exe') --version
    Write-Output "Installed $installed in $directory"
    if (($env:Path -split ';') -notcontains $directory) {
        Write-Output 'It is not in your PATH yet. Add it in the settings of Windows, under "Edit'
        Write-Output 'environment variables for your account"; for this window:'
        Write-Output "  `$env:Path = `"$directory;`$env:Path`""
    }
}
