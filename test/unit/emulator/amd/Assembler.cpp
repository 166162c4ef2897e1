//===-- Assembler.cpp - assembles code for AMD GPUs with LLVM --------------------------------------------------===//
#include "Assembler.h"

#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/SourceMgr.h"

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmParser();
}

std::vector<char> tilecc::emu::amd::test::assemble(const std::string &text, const std::string &processor, bool isWave32,
                                                   std::string &error) {
  static const bool initialized = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmParser();
    return true;
  }();
  (void)initialized;
  llvm::Triple triple("amdgcn-amd-amdhsa");
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  llvm::MCTargetOptions options;
  llvm::SourceMgr sources;
  llvm::raw_string_ostream errors(error);
  sources.setDiagHandler([](const llvm::SMDiagnostic &diagnostic, void *stream) {
    diagnostic.print("", *static_cast<llvm::raw_string_ostream *>(stream), /*ShowColors=*/false);
  }, &errors);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "test.s"), llvm::SMLoc());
  std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> assembly(target->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(
      triple, processor, isWave32 ? "+wavefrontsize32" : "+wavefrontsize64"));
  llvm::MCContext context(triple, assembly.get(), registers.get(), subtarget.get(), &sources, &options);
  std::unique_ptr<llvm::MCObjectFileInfo> info(target->createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(info.get());

  llvm::SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  std::unique_ptr<llvm::MCAsmBackend> backend(target->createMCAsmBackend(*subtarget, *registers, options));
  std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(stream);
  std::unique_ptr<llvm::MCCodeEmitter> emitter(target->createMCCodeEmitter(*instructions, context));
  std::unique_ptr<llvm::MCStreamer> streamer(target->createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer), std::move(emitter), *subtarget));
  std::unique_ptr<llvm::MCAsmParser> parser(llvm::createMCAsmParser(sources, context, *streamer, *assembly));
  std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      target->createMCAsmParser(*subtarget, *parser, *instructions, options));
  parser->setTargetParser(*targetParser);
  if (parser->Run(/*NoInitialTextSection=*/false) || !error.empty())
    return {};

  auto read = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(object, "test.o"));
  if (!read) {
    error = llvm::toString(read.takeError());
    return {};
  }
  for (const llvm::object::SectionRef &section : (*read)->sections())
    if (section.isText())
      if (auto contents = section.getContents())
        return {contents->begin(), contents->end()};
  error = "there is no code";
  return {};
}
